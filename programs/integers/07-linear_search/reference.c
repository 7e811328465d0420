/* The first place of a number in an array, or -1. */
int find(const int *a, int n, int x)
{
    int place = -1;
    for (int i = n - 1; i >= 0; i--)
        if (a[i] == x)
            place = i;
    return place;
}
