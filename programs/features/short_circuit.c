// && and || evaluate the right side only if needed; results are 0 or 1; precedence of !.
#include <stdio.h>

int calls;

int yes(void) { calls++; return 7; }
int no(void) { calls++; return 0; }

struct node { int v; struct node *next; };

int main(void)
{
    int i = 0, r;
    struct node *p = NULL;

    r = no() && yes();
    printf("%d %d\n", r, calls);
    r = yes() || no();
    printf("%d %d\n", r, calls);
    r = no() || yes() && no() || yes();
    printf("%d %d\n", r, calls);
    if (p != NULL && p->next->v > 3)
        printf("never\n");
    if (i++ || i++ || i++)
        printf("i is %d\n", i);
    if (i-- && i-- && i--)
        printf("never\n");
    printf("%d %d %d %d\n", i, !yes(), !!yes(), !p);
    return 0;
}
