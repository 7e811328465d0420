// while, for, do and nested loops with break and continue.
#include <stdio.h>

int main(void)
{
    int i = 0, n = 0;

    while (i < 10) {
        i++;
        if (i % 3 == 0)
            continue;
        if (i > 7)
            break;
        printf("%d ", i);
    }
    printf("| %d\n", i);
    do {
        n += 4;
        if (n == 8)
            continue;
        printf("%d ", n);
    } while (n < 12);
    printf("\n");
    for (int a = 1; a <= 4; a++) {
        for (int b = 1; ; b++) {
            if (b > a)
                break;
            if ((a + b) % 2)
                continue;
            printf("%d%d ", a, b);
        }
    }
    printf("\n");
    for (i = 10; i--; )
        if (i & 1)
            continue;
        else if (i == 4)
            break;
    printf("%d\n", i);
    return 0;
}
