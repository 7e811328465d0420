// Declarations with several declarators: pointers, arrays and functions of one base type.
#include <stdio.h>

int a = 1, *p = &a, **pp = &p, arr[3] = { 4, 5, 6 }, twice(int), (*fp)(int) = twice;
struct point { int x, *px; } origin = { 3, &origin.x }, *here = &origin;

int twice(int n) { return 2 * n; }

int main(void)
{
    int i = 2, *q = &i, (*row)[3] = &arr, *ptrs[2] = { &a, q };
    char c = 'c', *s = "str", t[] = "tuv";
    unsigned long int ul = 5, long_sum = ul + i;
    long unsigned lu = 6;
    const struct point copy = origin;

    printf("%d %d %d %d\n", *p, **pp, arr[2], fp(21));
    printf("%d %d %d %d\n", *q, (*row)[1], *ptrs[0], *ptrs[1]);
    printf("%c %s %s %lu %lu\n", c, s, t, long_sum, lu);
    *here->px = 9;
    printf("%d %d\n", origin.x, *copy.px);
    return 0;
}
