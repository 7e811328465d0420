/* The Manhattan distance of two points. */
struct point { int x, y; };

static int absolute(int v)
{
    return v < 0 ? -v : v;
}

int distance(struct point p, struct point q)
{
    int dx = p.x - q.x;
    int dy = p.y + q.y;
    return absolute(dx) + absolute(dy);
}
