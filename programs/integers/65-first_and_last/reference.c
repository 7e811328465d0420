/* The first and the last place of a number in an array, or -1. */
void places(const int a[4], int x, int *first, int *last)
{
    *first = *last = -1;
    for (int i = 3; i >= 0; i--)
        if (a[i] == x)
            *first = i;
    for (int i = 0; i < 4; i++)
        if (a[i] == x)
            *last = i;
}
