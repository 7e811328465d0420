/* Selection sort of four elements. */
void sort(int a[4])
{
    for (int i = 0; i < 3; i++) {
        int min = i;
        for (int j = i + 1; j < 4; j++)
            if (a[j] < a[i])
                min = j;
        int t = a[i];
        a[i] = a[min];
        a[min] = t;
    }
}
