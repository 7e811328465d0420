/* Whether a point lies in the first quadrant. */
struct point { int x, y; };

int first_quadrant(struct point p)
{
    if (p.x <= 0)
        return 0;
    return !(p.y <= 0);
}
