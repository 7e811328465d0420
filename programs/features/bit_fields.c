// Bit-fields: unsigned and signed, wraparound, layout size, zero-width.
#include <stdio.h>

struct flags {
    unsigned int ready : 1;
    unsigned int mode : 3;
    int delta : 4;
    unsigned int count : 12;
};

struct split {
    unsigned char a : 4;
    unsigned char : 0;
    unsigned char b : 4;
};

int main(void)
{
    struct flags f = { 1, 5, -3, 4000 };
    struct flags *p = &f;

    printf("%d %d %d %d\n", f.ready, f.mode, f.delta, f.count);
    f.mode += 4;
    f.delta = 7;
    p->delta++;
    p->count += 200;
    f.ready = ~f.ready;
    printf("%d %d %d %d\n", f.ready, f.mode, f.delta, f.count);
    f.mode |= 6;
    f.mode <<= 1;
    printf("%d %zu %zu\n", f.mode, sizeof(struct flags), sizeof(struct split));
    return 0;
}
