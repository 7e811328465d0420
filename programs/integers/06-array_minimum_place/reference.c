/* Where the first of the smallest elements is. */
int minimum_place(const int a[], int n)
{
    for (int i = 0; i < n; i++) {
        int least = 1;
        for (int j = 0; j < n; j++)
            if (a[j] < a[i])
                least = 0;
        if (least)
            return i;
    }
    return 0;
}
