// Anonymous struct and union members.
#include <stdio.h>

struct shape {
    int kind;
    union {
        struct {
            int width, height;
        };
        int radius;
    };
};

struct pixel {
    union {
        unsigned int rgba;
        struct {
            unsigned char r, g, b, a;
        };
    };
};

int main(void)
{
    struct shape s = { 1, { { 3, 4 } } };
    struct pixel p;

    printf("%d\n", s.width * s.height);
    s.radius = 10;
    printf("%d %d\n", s.width, s.height);
    p.rgba = 0x11223344;
    printf("%x %x %x %x\n", p.r, p.g, p.b, p.a);
    p.a = 0;
    printf("%x %zu %zu\n", p.rgba, sizeof s, sizeof p);
    return 0;
}
