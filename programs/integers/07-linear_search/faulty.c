/* The first place of a number in an array, or -1. */
int find(const int *a, int n, int x)
{
    int i = 0;
    while (i <= n) {
        if (a[i] == x)
            return i;
        i++;
    }
    return -1;
}
