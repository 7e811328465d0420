// Expressions that begin, end or lie inside of macro uses, and those that only look as if they did.
#include <stdio.h>
#include <stdlib.h>

#define NEXT(p) ((p)->next)
#define LINK next
#define SUM x + 2
#define ZERO 0
#define LENGTH (n + 1)
#define COPY(to, from) to = from
#define APPLY(f, a) f(a)

struct node { int value; struct node *next; };

int twice(int a)
{
    return 2 * a;
}

int main(void)
{
    struct node b = { 2, NULL }, a = { 1, &b };
    struct node *p = &a, *q = NULL;
    int x = 3, n = 2, y;
    int room[LENGTH];

    while (NEXT(p) != NULL)
        p = NEXT(p);
    printf("%d %d\n", p->value, p->LINK == NULL);
    printf("%d %d\n", SUM * 3, 3 * SUM);
    if (NULL == q && x > ZERO)
        COPY(q, &a);
    COPY(y, q->value + x);
    room[n] = APPLY(twice, y) + ZERO;
    printf("%d %d %d %zu\n", APPLY(twice, x + y), y, room[n], sizeof room / sizeof room[0]);
    return q->next->value - 2 != ZERO;
}
