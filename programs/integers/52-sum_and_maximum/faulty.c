/* Reads n and n numbers; prints their sum and their maximum. */
#include <stdio.h>

int main(void)
{
    int n, x, sum = 0, max = -1000;
    if (scanf("%d", &n) != 1 || n < 1 || n > 3)
        return 1;
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &x) != 1 || x < -100 || x > 100)
            return 1;
        sum += x;
        if (x < max)
            max = x;
    }
    printf("%d %d\n", sum, max);
    return 0;
}
