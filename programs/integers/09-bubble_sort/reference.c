/* Bubble sort of three elements. */
static void order(int *x, int *y)
{
    if (*x > *y) {
        int t = *x;
        *x = *y;
        *y = t;
    }
}

void sort(int a[3])
{
    order(&a[0], &a[1]);
    order(&a[1], &a[2]);
    order(&a[0], &a[1]);
}
