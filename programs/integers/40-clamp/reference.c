/* The nearest number of a range. */
int clamp(int x, int lo, int hi)
{
    if (x > hi)
        x = hi;
    if (x < lo)
        x = lo;
    return x;
}
