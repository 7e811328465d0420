/* The sum of the even elements, and that of the odd ones. */
void sums(const int a[3], int *even, int *odd)
{
    int e = 0, all = 0;
    for (int i = 0; i < 3; i++) {
        all += a[i];
        e += a[i] % 2 ? 0 : a[i];
    }
    *even = e;
    *odd = all - e;
}
