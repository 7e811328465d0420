// Functions that return pointers to static and heap structs; a call as the left side of ->.
#include <stdio.h>
#include <stdlib.h>

struct point { int x, y; };

struct point *origin(void)
{
    static struct point o;

    return &o;
}

struct point *make(int x, int y)
{
    struct point *p = malloc(sizeof *p);

    *p = (struct point) { x, y };
    return p;
}

int *larger(int *a, int *b) { return *a > *b ? a : b; }

int main(void)
{
    int a = 3, b = 8;
    struct point *p;

    origin()->x = 4;
    origin()->y += 2;
    printf("%d %d\n", origin()->x, (*origin()).y);
    *larger(&a, &b) = 0;
    *larger(&a, &b) = 1;
    printf("%d %d\n", a, b);
    p = make(5, 6);
    *origin() = *p;
    free(p);
    printf("%d %d\n", origin()->x, origin()->y);
    return 0;
}
