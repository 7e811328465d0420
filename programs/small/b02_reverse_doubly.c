// Reverse a doubly linked list in place by exchanging the links of every node.
//~ ID: B2
//~ FUNCTION: reverse
//~ INPUT:
//~ INPUT: 3 1 4 1 5
//~ INPUT: 7
//~ UNSEEN: 9 8 7 6 5 4
//~ UNSEEN: 1 2
//~ UNSEEN: 0
//~ UNSEEN: 6 6 -6
//~ UNSEEN: 11 12 13 14 15 16 17 18
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
    struct node *prev;
};

struct node *head;
struct node *tail;

void push(int data)
{
    struct node *n = (struct node *) malloc(sizeof(struct node));

    n->data = data;
    n->prev = NULL;
    n->next = head;
    if (head != NULL)
        head->prev = n;
    else
        tail = n;
    head = n;
}

void reverse(void)
{
    struct node *current = head;
    struct node *before = NULL;
    struct node *after = NULL;

    tail = head;
    while (current != NULL) {
        before = current->prev;
        after = current->next;
        current->prev = after;
        current->next = before;
        head = current;
        current = after;
    }
}

void print_list(void)
{
    struct node *p;

    printf("forward:");
    for (p = head; p != NULL; p = p->next)
        printf(" %d", p->data);
    printf("\nbackward:");
    for (p = tail; p != NULL; p = p->prev)
        printf(" %d", p->data);
    printf("\n");
}

/* The arguments are pushed one after the other; none means 2 4 8 10. */
int main(int argc, char **argv)
{
    if (argc == 1) {
        push(2);
        push(4);
        push(8);
        push(10);
    }
    for (int i = 1; i < argc; i++)
        push(atoi(argv[i]));
    print_list();
    reverse();
    print_list();
    return 0;
}
