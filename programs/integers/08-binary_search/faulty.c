/* Whether a sorted array has a number. */
int contains(const int a[], int n, int x)
{
    int lo = 0, hi = n - 1;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (a[mid] == x)
            return 1;
        if (a[mid] < x)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    return 0;
}
