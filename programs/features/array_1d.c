// One-dimensional arrays: fill, reverse, sum, maximum, count.
#include <stdio.h>

int main(void)
{
    int a[10], n = 10, sum = 0, max, evens = 0;

    for (int i = 0; i < n; i++)
        a[i] = (i * 7 + 3) % 11;
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
    max = a[0];
    for (int i = 0; i < n; i++) {
        sum += a[i];
        if (a[i] > max)
            max = a[i];
        evens += a[i] % 2 == 0;
        printf("%d%c", a[i], i == n - 1 ? '\n' : ' ');
    }
    printf("sum %d, max %d, %d even, 3[a] = %d\n", sum, max, evens, 3[a]);
    return 0;
}
