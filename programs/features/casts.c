// Casts: narrowing, sign extension, int and float, pointers, void pointers.
#include <stdio.h>
#include <stdint.h>

int main(void)
{
    int big = 0x12345678;
    unsigned char uc = (unsigned char) big;
    signed char sc = (signed char) 0xf0;
    short sh = (short) 0x18000;
    double d = 3.99;
    int arr[2] = { 0x01020304, 0x05060708 };
    void *v = arr;

    printf("%x %d %d\n", uc, sc, sh);
    printf("%d %u %lld\n", (int) sc, (unsigned) sc, (long long) (unsigned char) sc);
    printf("%d %d %d\n", (int) d, (int) -d, (int) (d + 0.5));
    printf("%.3f %.3f\n", 7 / 2 + 0.0, (double) 7 / 2);
    printf("%d %d\n", ((char *) v)[0], *((int *) v + 1) == 0x05060708);
    printf("%d\n", (int) (intptr_t) ((char *) &arr[1] - (char *) arr));
    printf("%ld %lu\n", (long) -1, (unsigned long) -1);
    printf("%d\n", (int) (unsigned char) 511 + (int) 'A');
    printf("%d %d\n", (int) 1e9f, (char) 65.7 == 'A');
    return 0;
}
