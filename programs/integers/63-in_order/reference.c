/* Two numbers in order. */
void in_order(int x, int y, int *lo, int *hi)
{
    *lo = x < y ? x : y;
    *hi = x + y - *lo;
}
