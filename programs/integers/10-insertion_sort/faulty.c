/* Insertion sort. */
#include <assert.h>

void sort(int a[], int n)
{
    for (int i = 1; i < n; i++) {
        int key = a[i];
        int j = i - 1;
        while (j > 0 && a[j] > key) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = key;
    }
    for (int i = 1; i < n; i++)
        assert(a[i - 1] <= a[i]);
}
