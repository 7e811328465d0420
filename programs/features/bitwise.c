// Bitwise operators and shifts, masks, population count, arithmetic shift of negative numbers.
#include <stdio.h>

int popcount(unsigned x)
{
    int n = 0;

    for (; x; x &= x - 1)
        n++;
    return n;
}

unsigned reverse_bits(unsigned x)
{
    unsigned r = 0;

    for (int i = 0; i < 32; i++, x >>= 1)
        r = r << 1 | (x & 1);
    return r;
}

int main(void)
{
    unsigned a = 0xcafe, b = 0x0ff0;
    int n = -20;

    printf("%x %x %x %x\n", a & b, a | b, a ^ b, ~a & 0xffff);
    printf("%x %x %u\n", a << 4, a >> 4, 1u << 31);
    printf("%d %d %d %d\n", n >> 2, n / 4, ~n, n & 7);
    printf("%d %d %x\n", popcount(a), popcount(~0u), reverse_bits(a));
    a ^= b; b ^= a; a ^= b;
    printf("%x %x\n", a, b);
    printf("%d %d\n", (5 & 6) == 4, 5 & (6 == 6));
    printf("%llx %d\n", 1ull << 40 | 0xf, 1 << (2 + 3));
    return 0;
}
