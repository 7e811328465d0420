/* Whether a point lies in the first quadrant. */
struct point { int x, y; };

int first_quadrant(struct point p)
{
    return p.x > 0 && p.y > 0 && p.x != p.y;
}
