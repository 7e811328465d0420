/* How many elements are in a range. */
int count(const int a[3], int lo, int hi)
{
    int n = 3;
    for (int i = 0; i < 3; i++)
        if (lo > a[i] || hi < a[i])
            n--;
    return n;
}
