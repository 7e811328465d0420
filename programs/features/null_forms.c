// Null pointers in all forms: NULL, 0, !p, if (p), while (p), comparison both ways.
#include <stdio.h>
#include <stddef.h>

struct n { int v; struct n *next; };

int length(struct n *p)
{
    int k = 0;

    while (p)
        k++, p = p->next;
    return k;
}

int main(void)
{
    struct n c = { 3, 0 }, b = { 2, &c }, a = { 1, &b };
    struct n *p = NULL, *q = 0, *r = (void *) 0;

    printf("%d %d %d %d\n", p == q, q == r, !p, !a.next);
    if (p)
        printf("never\n");
    if (!p && NULL == q && 0 == r)
        printf("all null\n");
    p = &a;
    printf("%d %d %d\n", length(p), length(NULL), p != NULL && p->next && p->next->next && !p->next->next->next);
    printf("%d\n", p ? p->v : -1);
    return 0;
}
