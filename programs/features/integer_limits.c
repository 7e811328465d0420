// limits.h and stdint.h constants and integer literals (hex, octal, suffixes).
#include <stdio.h>
#include <limits.h>
#include <stdint.h>

int main(void)
{
    int64_t big = INT64_MAX;
    uint8_t small = 0xff;

    printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
    printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
    printf("%d %d %d %d %d\n", CHAR_BIT, SCHAR_MIN, SCHAR_MAX, UCHAR_MAX, CHAR_MIN);
    printf("%d %d %d %lld\n", SHRT_MIN, SHRT_MAX, USHRT_MAX, LLONG_MIN);
    printf("%d %d %d %d\n", 0x1F, 017, 0b101, 'a');
    printf("%ld %u %lld %zu\n", 2147483648, 4294967295u, 1LL << 40, sizeof 1UL);
    printf("%ld %d\n", (long) big, small);
    printf("%d %d\n", -INT_MAX - 1 == INT_MIN, INT_MAX / -1);
    return 0;
}
