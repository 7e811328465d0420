// Swap the nodes of a doubly linked list pairwise by changing links only.
//~ ID: L13
//~ FUNCTION: pairwise_swap, push
//~ INPUT: 3 1 4 2 5
//~ INPUT: 2 6 8 9
//~ INPUT: 7
//~ INPUT: 4 4 1 2
//~ INPUT:
//~ UNSEEN: 9 8 7 6 5 4
//~ UNSEEN: 1 2
//~ UNSEEN: 1 2 3
//~ UNSEEN: 5 5 5
//~ UNSEEN: 0 1 2 3 4 5 6 7
//~ UNSEEN: -1 -2 -2 -1 3
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
    struct node *prev;
};

struct node *head = NULL;
struct node *tail = NULL;

void push(int value)
{
    struct node *fresh = malloc(sizeof(struct node));

    fresh->value = value;
    fresh->prev = NULL;
    fresh->next = head;
    if (head != NULL)
        head->prev = fresh;
    else
        tail = fresh;
    head = fresh;
}

/* Pairs of equal nodes stay as they are. */
int pairwise_swap(void)
{
    struct node *left = head;
    struct node *right;
    struct node *before;
    struct node *after;
    int swapped = 0;

    while (left != NULL && left->next != NULL) {
        right = left->next;
        after = right->next;
        if (left->value != right->value) {
            before = left->prev;
            right->prev = before;
            right->next = left;
            left->prev = right;
            left->next = after;
            if (before == NULL)
                head = right;
            else
                before->next = right;
            if (after == NULL)
                tail = left;
            else
                after->prev = left;
            swapped++;
        }
        left = after;
    }
    return swapped;
}

void print_list(void)
{
    struct node *p = head;

    printf("forward:");
    while (p != NULL) {
        printf(" %d", p->value);
        p = p->next;
    }
    printf("  backward:");
    p = tail;
    while (p != NULL) {
        printf(" %d", p->value);
        p = p->prev;
    }
    printf("\n");
}

/* The arguments are the list from front to back; none means an empty list. */
int main(int argc, char **argv)
{
    int swapped;

    for (int i = argc - 1; i >= 1; i--)
        push(atoi(argv[i]));
    print_list();
    swapped = pairwise_swap();
    print_list();
    printf("%d swapped\n", swapped);
    return 0;
}
