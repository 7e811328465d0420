// Comparison of signed and unsigned, and integer promotion of small types.
#include <stdio.h>

int main(void)
{
    int minus = -1, top = 255;
    unsigned one = 1;
    unsigned char a = 200, b = 100;
    signed char c = -1;
    unsigned short us = 65535;
    long l = -1;

    printf("%d %d\n", minus < one, minus < (int) one);
    printf("%d %d\n", l < one, minus == 4294967295u);
    printf("%d %d\n", a + b, (unsigned char) (a + b));
    printf("%d %d\n", c == top, (unsigned char) c == top);
    printf("%d %d\n", ~a, -b < 0);
    printf("%d %d\n", us + 1, us * 2 > 0);
    printf("%u %d\n", one - 2, one - 2 > 0);
    printf("%d\n", (a << 1) == 400);
    printf("%u %ld\n", minus / 2 + one, minus + 0L);
    return 0;
}
