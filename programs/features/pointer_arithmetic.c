// Pointer arithmetic: addition, subtraction, difference, comparison, negative index.
#include <stdio.h>
#include <stddef.h>

int main(void)
{
    int a[6] = { 2, 4, 6, 8, 10, 12 };
    int *p = a, *end = a + 6, *q = &a[5];
    ptrdiff_t d = q - p;
    long steps = 0;

    printf("%td %d %d\n", d, *(p + 3), *(q - 2));
    while (p < end) {
        steps += *p;
        p += 2;
    }
    printf("%ld %d\n", steps, p == end);
    p -= 4;
    printf("%d %d %d\n", *p, p[-1], (int) (p - a));
    printf("%d %d %d\n", p > a, q >= end, p != q);
    printf("%d\n", (int) ((char *) q - (char *) a));
    return 0;
}
