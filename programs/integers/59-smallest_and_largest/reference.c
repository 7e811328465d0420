/* The smallest and the largest element of an array. */
void extremes(const int a[3], int *lo, int *hi)
{
    int small = a[0] < a[1] ? a[0] : a[1], large = a[0] > a[1] ? a[0] : a[1];
    *lo = small < a[2] ? small : a[2];
    *hi = large > a[2] ? large : a[2];
}
