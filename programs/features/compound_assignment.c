// Compound assignments: all operators, on int, unsigned, char, short, double and pointers.
#include <stdio.h>

int main(void)
{
    int x = 100;
    unsigned u = 0xf0;
    char c = 100;
    unsigned char uc = 250;
    short s = 32767;
    double d = 10;
    int a[5] = { 1, 2, 3, 4, 5 }, *p = a;

    x += 5; x -= 15; x *= 3; x /= 4; x %= 40;
    printf("%d\n", x);
    x <<= 3; x >>= 1; x |= 3; x &= ~1; x ^= 0xff;
    printf("%d\n", x);
    u |= 0x0f; u &= 0x3c; u ^= 0x30; u <<= 4; u >>= 2;
    printf("%u\n", u);
    c += 20; c /= 3; c -= 45;
    uc += 10; uc *= 3; uc -= 20;
    s >>= 3; s *= 2;
    printf("%d %d %d\n", c, uc, s);
    d += 0.5; d *= 3; d -= 1; d /= 4;
    x = 7; x *= 1.5; x -= 0.6;
    printf("%.4f %d\n", d, x);
    p += 3; p -= 1; *p += 10; a[p - a] *= 2;
    printf("%d %d\n", *p, a[2]);
    return 0;
}
