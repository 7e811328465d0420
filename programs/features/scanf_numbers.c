// scanf: %d %ld %f %lf %x %u, the return value, and a loop until EOF.
//~ STDIN: 12 -7 3000000000 2.5\n1e3 ff 7,8\n1 2 3 x
#include <stdio.h>

int main(void)
{
    int a, b, n, sum = 0;
    long l;
    float f;
    double d;
    unsigned x;

    n = scanf("%d %d", &a, &b);
    printf("%d: %d %d\n", n, a, b);
    n = scanf("%ld %f %lf", &l, &f, &d);
    printf("%d: %ld %.2f %.2f\n", n, l, f, d);
    n = scanf("%x %d,%d", &x, &a, &b);
    printf("%d: %u %d %d\n", n, x, a, b);
    while ((n = scanf("%d", &a)) == 1)
        sum += a;
    printf("%d %d\n", sum, n);
    getchar();
    printf("%d\n", scanf("%d", &a) == EOF);
    return 0;
}
