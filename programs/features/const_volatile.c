// const and volatile in their places; pointers to const, const pointers.
#include <stdio.h>

const int limit = 10;
volatile int signal_count;

int total(const int *const values, const int n)
{
    int sum = 0;
    const int *p = values;

    while (p < values + n)
        sum += *p++;
    return sum;
}

int main(void)
{
    int x = 1, y = 2;
    const int *to_const = &x;
    int *const fixed = &x;
    const char *const words[] = { "alpha", "beta" };
    volatile int v = 3;

    to_const = &y;
    *fixed = 50;
    printf("%d %d %d\n", *to_const, x, limit);
    while (signal_count < 3)
        signal_count++;
    v = v + v;
    printf("%d %d %s\n", signal_count, v, words[1]);
    printf("%d\n", total((const int []) { 1, 2, 3 }, 3));
    return 0;
}
