/* The Manhattan distance of two points. */
struct point { int x, y; };

int distance(struct point p, struct point q)
{
    int d = 0;
    d += p.x > q.x ? p.x - q.x : q.x - p.x;
    d += p.y > q.y ? p.y - q.y : q.y - p.y;
    return d;
}
