// Variables declared in for: several of one type, scope, shadowing, a pointer.
#include <stdio.h>

int main(void)
{
    int i = 100;
    int a[] = { 3, 1, 2 };

    for (int i = 0, j = 10; i < j; i += 3, j--)
        printf("%d,%d ", i, j);
    printf("%d\n", i);
    for (int *p = a, *end = a + 3; p < end; p++) {
        int i = *p;
        printf("%d ", i);
    }
    printf("%d\n", i);
    for (struct { int n; char c; } s = { 0, 'a' }; s.n < 3; s.n++, s.c++)
        printf("%d%c ", s.n, s.c);
    for (; i < 103; )
        i++;
    printf("%d\n", i);
    return 0;
}
