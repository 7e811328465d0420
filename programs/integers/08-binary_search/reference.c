/* Whether a sorted array has a number. */
int contains(const int a[], int n, int x)
{
    for (int i = 0; i < n; i++)
        if (a[i] == x)
            return 1;
    return 0;
}
