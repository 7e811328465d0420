// Address of local variables: results through pointer parameters, a swap, a pointer to a pointer.
#include <stdio.h>

void swap(int *a, int *b)
{
    int t = *a;

    *a = *b;
    *b = t;
}

void divide(int n, int d, int *quotient, int *remainder)
{
    *quotient = n / d;
    *remainder = n % d;
}

int main(void)
{
    int x = 17, y = 5, q, r;
    int *p = &x;
    int **pp = &p;

    divide(x, y, &q, &r);
    printf("%d %d\n", q, r);
    swap(&x, &y);
    printf("%d %d\n", x, y);
    **pp = 99;
    *pp = &y;
    *p += 1;
    printf("%d %d %d\n", x, y, p == &y);
    return 0;
}
