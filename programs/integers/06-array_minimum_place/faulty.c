/* Where the first of the smallest elements is. */
int minimum_place(const int a[], int n)
{
    int place = 0;
    for (int i = 1; i < n; i++) {
        if (a[i] <= a[place])
            place = i;
    }
    return place;
}
