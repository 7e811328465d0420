// Bubble sort, insertion sort and quicksort on copies of one array, through a table of functions.
#include <stdio.h>
#include <string.h>

#define N 8

static void exchange(int a[], int i, int j) { int t = a[i]; a[i] = a[j]; a[j] = t; }

static void bubble(int a[], int n)
{
    int swapped;

    do {
        swapped = 0;
        for (int i = 1; i < n; i++)
            if (a[i - 1] > a[i])
                exchange(a, i - 1, i), swapped = 1;
    } while (swapped);
}

static void insertion(int a[], int n)
{
    for (int i = 1, j; i < n; i++) {
        int x = a[i];
        for (j = i; j > 0 && a[j - 1] > x; j--)
            a[j] = a[j - 1];
        a[j] = x;
    }
}

static void quick(int a[], int n)
{
    int last = 0;

    if (n <= 1)
        return;
    exchange(a, 0, n / 2);
    for (int i = 1; i < n; i++)
        if (a[i] < a[0])
            exchange(a, ++last, i);
    exchange(a, 0, last);
    quick(a, last);
    quick(a + last + 1, n - last - 1);
}

int main(void)
{
    const int original[N] = { 5, -2, 9, 0, 5, 7, -8, 1 };
    void (*sorts[])(int[], int) = { bubble, insertion, quick };

    for (int k = 0; k < 3; k++) {
        int a[N];
        memcpy(a, original, sizeof a);
        sorts[k](a, N);
        for (int i = 0; i < N; i++)
            printf("%d ", a[i]);
        printf("\n");
    }
    return 0;
}
