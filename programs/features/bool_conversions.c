// _Bool: every value that is not zero becomes 1; also of doubles and pointers.
#include <stdio.h>
#include <stdbool.h>

bool has_bit(int x, int mask)
{
    return x & mask;
}

int main(void)
{
    _Bool b = 256;
    double point_five = 0.5;
    int wide = 256;
    bool half = point_five, zero = 0.0, ptr = "x";
    unsigned char c = wide;
    bool flags[3] = { true, 0, 42 };

    printf("%d %d %d %d %d\n", b, half, zero, ptr, c);
    printf("%d %d %d\n", flags[0], flags[1], flags[2]);
    printf("%d %d\n", has_bit(0x100, 0x100), has_bit(4, 2));
    b += 5;
    printf("%d ", b);
    b = !b;
    printf("%d ", b);
    b--;
    printf("%d\n", b);
    printf("%d %d %zu\n", true + true, (bool) 7 == true, sizeof(bool));
    return 0;
}
