// long, long long and unsigned 64-bit arithmetic: products, modular powers, shifts across 32 bits.
#include <stdio.h>
#include <stdint.h>

uint64_t mod_pow(uint64_t b, uint64_t e, uint64_t m)
{
    uint64_t r = 1;

    for (b %= m; e; e >>= 1, b = b * b % m)
        if (e & 1)
            r = r * b % m;
    return r;
}

int main(void)
{
    long a = 123456789L * 1000;
    long long f = 1;
    uint32_t lcg = 1;
    uint64_t h = 14695981039346656037ull;

    for (int i = 2; i <= 20; i++)
        f *= i;
    printf("%ld %lld\n", a, f);
    printf("%lu %lu\n", mod_pow(2, 100, 1000000007), mod_pow(3, 0, 5));
    for (int i = 0; i < 5; i++)
        lcg = lcg * 1664525u + 1013904223u;
    printf("%u\n", lcg);
    for (const char *p = "hash"; *p; p++)
        h = (h ^ (uint8_t) *p) * 1099511628211ull;
    printf("%016lx %lu %d\n", h, h >> 33, (int) h);
    printf("%d %ld %lld\n", (int) (1L << 33 >> 3), 1L << 33, (long long) 1e18 + 1);
    return 0;
}
