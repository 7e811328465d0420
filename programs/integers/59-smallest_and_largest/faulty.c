/* The smallest and the largest element of an array. */
void extremes(const int a[3], int *lo, int *hi)
{
    *lo = a[0];
    *hi = a[0];
    for (int i = 1; i < 3; i++) {
        if (a[i] > *lo)
            *lo = a[i];
        if (a[i] < *hi)
            *hi = a[i];
    }
}
