/* The sum of the even elements, and that of the odd ones. */
void sums(const int a[3], int *even, int *odd)
{
    *even = 0;
    *odd = 1;
    for (int i = 0; i < 3; i++) {
        if (a[i] % 2 == 0)
            *even -= a[i];
        else
            *odd += a[i];
    }
}
