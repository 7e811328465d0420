// Wraparound of unsigned types, from unsigned char to unsigned long long, and narrowing to signed types.
#include <stdio.h>
#include <limits.h>

int main(void)
{
    unsigned char uc = UCHAR_MAX;
    unsigned short us = USHRT_MAX;
    unsigned int ui = UINT_MAX;
    unsigned long ul = ULONG_MAX;
    unsigned long long ull = ULLONG_MAX;
    signed char sc = 127;
    short s = -32768;

    uc++; us++; ui++; ul++; ull++;
    printf("%d %d %u %lu %llu\n", uc, us, ui, ul, ull);
    uc--; us--; ui--; ul--; ull--;
    printf("%d %d %u %lu %llu\n", uc, us, ui, ul, ull);
    sc++; s--;
    printf("%d %d\n", sc, s);
    ui = 3000000000u;
    printf("%u %u %u\n", ui * 2, ui + ui, 5u - 6u);
    uc = 200;
    printf("%d %d\n", uc + 100, (unsigned char) (uc + 100));
    ull = 1ull << 63;
    printf("%llu %llu\n", ull, ull * 2);
    return 0;
}
