// Chained assignment a = b = c, also with conversion, through pointers and in conditions.
#include <stdio.h>

struct n { int v; struct n *next; };

int main(void)
{
    int a, b, c;
    char ch;
    struct n x = { 1, NULL }, y = { 2, NULL }, *p, *q;

    a = b = c = 7;
    printf("%d %d %d\n", a, b, c);
    b = 321;
    a = ch = b;
    printf("%d %d\n", a, ch);
    a = (b = 5) + (c = 6);
    printf("%d %d %d\n", a, b, c);
    p = q = &x;
    p->next = q = &y;
    q->next = p->next->next = NULL;
    printf("%d %d %d\n", x.next->v, q->v, y.next == NULL);
    if ((a = b - 5) == 0)
        printf("a is %d\n", a);
    a += b -= c *= 2;
    printf("%d %d %d\n", a, b, c);
    return 0;
}
