// Heap sort on an array.
//~ INPUT: 5 3 9 1 7
//~ INPUT: 2
//~ INPUT: 1 2 3 4 5 6 7 8
//~ INPUT: 4 4 -4 0
#include <stdio.h>
#include <stdlib.h>

static void sift(int *a, int i, int n)
{
    int child;

    while ((child = 2 * i + 1) < n) {
        if (child + 1 < n && a[child + 1] > a[child])
            child++;
        if (a[i] >= a[child])
            return;
        int t = a[i];
        a[i] = a[child];
        a[child] = t;
        i = child;
    }
}

int main(int argc, char **argv)
{
    int n = argc - 1, a[64];

    for (int i = 0; i < n; i++)
        a[i] = atoi(argv[i + 1]);
    for (int i = n / 2; i-- > 0; )
        sift(a, i, n);
    for (int end = n - 1; end > 0; end--) {
        int t = a[0];
        a[0] = a[end];
        a[end] = t;
        sift(a, 0, end);
    }
    for (int i = 0; i < n; i++)
        printf("%d ", a[i]);
    putchar('\n');
    return 0;
}
