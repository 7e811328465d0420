/* How many elements are in a range. */
int count(const int a[3], int lo, int hi)
{
    int n = 0;
    for (int i = 0; i < 3; i++)
        if (a[i] > lo && a[i] < hi)
            n++;
    return n;
}
