// Doubly linked list with a sentinel node: insert at both ends, unlink, walk both ways.
#include <stdio.h>
#include <stdlib.h>

struct dl { int v; struct dl *prev, *next; };

static void insert_after(struct dl *at, int v)
{
    struct dl *n = malloc(sizeof(struct dl));

    n->v = v;
    n->prev = at;
    n->next = at->next;
    at->next->prev = n;
    at->next = n;
}

static void unlink_node(struct dl *n)
{
    n->prev->next = n->next;
    n->next->prev = n->prev;
    free(n);
}

static void print(struct dl *s)
{
    for (struct dl *p = s->next; p != s; p = p->next)
        printf("%d ", p->v);
    printf("| ");
    for (struct dl *p = s->prev; p != s; p = p->prev)
        printf("%d ", p->v);
    printf("\n");
}

int main(void)
{
    struct dl s = { 0, &s, &s };

    print(&s);
    for (int i = 1; i <= 3; i++) {
        insert_after(&s, i);
        insert_after(s.prev, i * 10);
    }
    print(&s);
    unlink_node(s.next->next);
    unlink_node(s.prev);
    print(&s);
    while (s.next != &s)
        unlink_node(s.next);
    print(&s);
    return 0;
}
