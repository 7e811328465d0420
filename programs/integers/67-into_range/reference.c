/* A point, moved into a square. */
static int clip(int v)
{
    return v < 0 ? 0 : v > 3 ? 3 : v;
}

void into_square(int x, int y, int *nx, int *ny)
{
    *nx = clip(x);
    *ny = clip(y);
}
