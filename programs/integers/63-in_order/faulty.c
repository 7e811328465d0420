/* Two numbers in order. */
void in_order(int x, int y, int *lo, int *hi)
{
    int small = x, large = x;
    if (x > y)
        small = x;
    if (y > x)
        large = small;
    *lo = small;
    *hi = large;
}
