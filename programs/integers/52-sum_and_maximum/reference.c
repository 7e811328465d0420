/* Reads n and n numbers; prints their sum and their maximum. */
#include <stdio.h>

int main(void)
{
    int a[3], n;
    if (scanf("%d", &n) != 1 || n < 1 || n > 3)
        return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%d", &a[i]) != 1 || a[i] < -100 || a[i] > 100)
            return 1;
    int sum = a[0], max = a[0];
    for (int i = 1; i < n; i++) {
        sum = sum + a[i];
        max = a[i] > max ? a[i] : max;
    }
    printf("%d %d\n", sum, max);
    return 0;
}
