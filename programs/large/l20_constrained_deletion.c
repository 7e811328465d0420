// Delete nodes whose values lie in an interval, but never two neighbours and never the last node.
//~ ID: L20
//~ FUNCTION: constrained_delete, push
//~ INPUT: 2 4 9 3 1 4 7 2 5
//~ INPUT: 1 9 1 5 6 7 8
//~ INPUT: 5 6 2 1 7 5 6 9
//~ INPUT: 3 3 1 3
//~ INPUT: 5 2 3 1 2 5
//~ INPUT: 1 2 0 1 2 3
//~ INPUT: 0 9 1
//~ UNSEEN: 5 8 9 9 8 7 6 5 4
//~ UNSEEN: 1 5 2 1 2 3 4 5 6 7
//~ UNSEEN: 0 0 5 0 0 0 0
//~ UNSEEN: -5 -1 3 -3 2 -4 -1 -2
//~ UNSEEN: 2 2 2 1 2 3 2 4 2
//~ UNSEEN: 1 1 -1 1 1
//~ UNSEEN: 4 9 1 3 6 5
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *push(struct node *head, int value)
{
    struct node *fresh = malloc(sizeof(struct node));

    fresh->value = value;
    fresh->next = head;
    return fresh;
}

/* The deleted nodes are collected, in their order, in a second list. At most limit nodes go. */
struct node *constrained_delete(struct node *head, int low, int high, int limit, struct node **deleted)
{
    struct node *previous = NULL;
    struct node *current = head;
    struct node *victim;
    struct node *tail = NULL;
    int count = 0;

    *deleted = NULL;
    if (low > high || limit <= 0)
        return head;
    while (current != NULL && current->next != NULL) {
        if (current->value >= low && current->value <= high) {
            victim = current;
            current = victim->next;
            if (previous == NULL)
                head = current;
            else
                previous->next = current;
            victim->next = NULL;
            if (tail == NULL)
                *deleted = victim;
            else
                tail->next = victim;
            tail = victim;
            count++;
            if (count == limit)
                break;
            /* the neighbour of a deleted node stays */
        }
        previous = current;
        current = current->next;
    }
    return head;
}

void print_list(const char *name, struct node *p)
{
    printf("%s:", name);
    while (p != NULL) {
        printf(" %d", p->value);
        p = p->next;
    }
    printf("\n");
}

/* Arguments: low and high end of the interval, the limit, then the list. */
int main(int argc, char **argv)
{
    struct node *head = NULL;
    struct node *deleted;
    int low = 2, high = 3, limit = 9;

    if (argc < 4) {
        head = push(head, 4);
        head = push(head, 3);
        head = push(head, 2);
        head = push(head, 1);
    } else {
        low = atoi(argv[1]);
        high = atoi(argv[2]);
        limit = atoi(argv[3]);
    }
    for (int i = argc - 1; i >= 4; i--)
        head = push(head, atoi(argv[i]));
    print_list("list", head);
    head = constrained_delete(head, low, high, limit, &deleted);
    print_list("list", head);
    print_list("deleted", deleted);
    return 0;
}
