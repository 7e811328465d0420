/* A point, moved into a square. */
void into_square(int x, int y, int *nx, int *ny)
{
    if (x < 0)
        x = 1;
    if (x > 3)
        x = 3;
    if (y < 0)
        y = 0;
    if (y > 4)
        y = 3;
    *nx = x;
    *ny = y;
}
