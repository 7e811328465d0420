// Union: the bytes of an int and of a float seen through other members (little endian).
#include <stdio.h>

union word {
    unsigned int u;
    float f;
    unsigned char bytes[4];
    unsigned short halves[2];
};

int main(void)
{
    union word w;

    w.u = 0x01020304;
    printf("%d %d %d %d\n", w.bytes[0], w.bytes[1], w.bytes[2], w.bytes[3]);
    printf("%x %x\n", w.halves[0], w.halves[1]);
    w.bytes[3] = 0xff;
    printf("%x\n", w.u);
    w.f = 1.0f;
    printf("%08x\n", w.u);
    w.f = -2.5f;
    printf("%08x %d\n", w.u, w.u >> 31);
    w.u = 0x40490fdb;
    printf("%.6f %zu\n", w.f, sizeof w);
    return 0;
}
