// Merge sort of a linked list, recursive, with a dummy head on the stack.
//~ INPUT: 5 2 9 1 5 6
//~ INPUT: 3
//~ INPUT: 4 3 2 1 0 -1 -2
//~ INPUT:
#include <stdio.h>
#include <stdlib.h>

struct n { int v; struct n *next; };

struct n *merge(struct n *a, struct n *b)
{
    struct n dummy, *t = &dummy;

    while (a && b) {
        if (a->v <= b->v) {
            t->next = a;
            a = a->next;
        } else {
            t->next = b;
            b = b->next;
        }
        t = t->next;
    }
    t->next = a ? a : b;
    return dummy.next;
}

struct n *sort(struct n *l)
{
    struct n *slow = l, *fast;

    if (!l || !l->next)
        return l;
    for (fast = l->next; fast && fast->next; fast = fast->next->next)
        slow = slow->next;
    fast = slow->next;
    slow->next = NULL;
    return merge(sort(l), sort(fast));
}

int main(int argc, char **argv)
{
    struct n *l = NULL;

    while (--argc > 0) {
        struct n *x = malloc(sizeof *x);
        x->v = atoi(argv[argc]);
        x->next = l;
        l = x;
    }
    for (l = sort(l); l; l = l->next)
        printf("%d ", l->v);
    printf("\n");
    return 0;
}
