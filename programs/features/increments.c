// ++ and --, before and after, on ints, pointers, fields and array elements.
#include <stdio.h>

struct counter { int n; int *p; };

int main(void)
{
    int i = 5, a[6] = { 0 }, src[] = { 7, 8, 9, 0 };
    int *p = src;
    struct counter c = { 1, src }, *pc = &c;
    int k;

    printf("%d ", i++);
    printf("%d ", ++i);
    printf("%d ", i--);
    printf("%d\n", --i);
    i = 0;
    while (*p)
        a[i++] = *p++;
    a[i] = --*p;
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    k = a[--i]++;
    printf("%d %d\n", k, a[2]);
    k = pc->n++;
    k += ++pc->n;
    printf("%d %d\n", k, c.n);
    k = *c.p++;
    k = 10 * k + *++c.p;
    printf("%d %d\n", k, (*c.p)++);
    printf("%d %td\n", src[2], pc->p - src);
    return 0;
}
