// Division and modulo of negative numbers: rounding towards zero, sign of the remainder.
#include <stdio.h>
#include <stdlib.h>

int floor_mod(int a, int b)
{
    int r = a % b;

    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

int main(void)
{
    int as[] = { 7, -7, 7, -7 }, bs[] = { 2, 2, -2, -2 };
    div_t d = div(-17, 5);

    for (int i = 0; i < 4; i++)
        printf("%d/%d = %d rest %d\n", as[i], bs[i], as[i] / bs[i], as[i] % bs[i]);
    printf("%d %d\n", floor_mod(-7, 3), floor_mod(7, -3));
    printf("%d %d\n", d.quot, d.rem);
    printf("%u %u\n", -7 / 2u, -7 % 10u);
    printf("%ld %d\n", -10000000000 / 3, (-8) >> 1);
    return 0;
}
