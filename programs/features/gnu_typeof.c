// GNU C: typeof of types and expressions, __typeof__, __auto_type.
#include <stdio.h>

#define SWAP(a, b) do { typeof(a) _t = (a); (a) = (b); (b) = _t; } while (0)

struct pair { int x; double y; };

int main(void)
{
    int x = 3, a[4] = { 1, 2, 3, 4 };
    typeof(x) copy = x;
    typeof(int *) p = &copy, q = &x;
    typeof(a) b = { 9, 8 };
    __typeof__(x + 0.5) half = 2.5;
    __auto_type l = 1L << 40;
    struct pair m = { 1, 1.5 }, n = { 2, 2.5 };
    typeof(m.y) d = n.y;

    *p += 10;
    SWAP(m, n);
    SWAP(x, copy);
    printf("%d %d %d %zu\n", x, copy, *q, sizeof b);
    printf("%.2f %ld %d %.1f %.1f\n", half / 2, l, m.x, n.y, d);
    return 0;
}
