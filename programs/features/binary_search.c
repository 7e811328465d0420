// Binary search on an array, and the first position that is not less.
//~ INPUT: 7
//~ INPUT: 1
//~ INPUT: 20
//~ INPUT: 8
#include <stdio.h>
#include <stdlib.h>

int find(const int *a, int n, int x)
{
    int i = 0, j = n - 1;

    while (i <= j) {
        int m = i + (j - i) / 2;
        if (a[m] == x)
            return m;
        if (a[m] < x)
            i = m + 1;
        else
            j = m - 1;
    }
    return -1;
}

int lower_bound(const int *a, int n, int x)
{
    const int *p = a;

    while (n > 0) {
        int half = n / 2;
        if (p[half] < x) {
            p += half + 1;
            n -= half + 1;
        } else
            n = half;
    }
    return p - a;
}

int main(int argc, char **argv)
{
    int a[] = { 1, 3, 5, 7, 7, 9, 13 }, x = argc > 1 ? atoi(argv[1]) : 5;

    printf("%d %d\n", find(a, 7, x) >= 0, lower_bound(a, 7, x));
    return 0;
}
