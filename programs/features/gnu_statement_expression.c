// GNU C: statement expressions, typeof, case ranges, ?: without a middle operand, __auto_type.
#include <stdio.h>

#define MAX(a, b) ({ typeof(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })

int classify(int c)
{
    switch (c) {
    case '0' ... '9': return 1;
    case 'a' ... 'z':
    case 'A' ... 'Z': return 2;
    case 1000 ... 1999: return 3;
    default: return 0;
    }
}

int main(void)
{
    int x = 3, y = 4;
    typeof(x) copy = x;
    typeof(int *) p = &copy;
    __typeof__(x + 0.5) half = 2.5;
    __auto_type l = 1L << 40;

    printf("%d %d\n", MAX(x++, y++), MAX(2.5, 1) > 2);
    printf("%d %d\n", x, y);
    printf("%d %d %d %d %d\n", classify('7'), classify('q'), classify('Q'), classify(1500), classify('?'));
    *p = ({ int t = 0; for (int i = 1; i <= 4; i++) t += i; t; });
    printf("%d %.2f %ld %d %d\n", copy, half / 2, l, x ?: 9, 0 ?: 9);
    return 0;
}
