// Partition a list around a value: smaller nodes first, then equal ones, then greater ones, each in their order.
//~ ID: L6
//~ FUNCTION: partition, push
//~ INPUT: 4 3 9 4 1 5 4
//~ INPUT: 5 7 8
//~ INPUT: 5 1 2
//~ INPUT: 6 6 6
//~ INPUT: 3 8 3 5 3
//~ INPUT: 2 1 2 0
//~ INPUT: 7
//~ INPUT: 4 2 7 1
//~ UNSEEN: 5 9 8 7 6 5 4
//~ UNSEEN: 0 -1 1 -2 2 0
//~ UNSEEN: 3 3
//~ UNSEEN: 10 1 2 3 4 5 6
//~ UNSEEN: 1 5 4 3 2
//~ UNSEEN: 4 4 9 1 4 9 1 4
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *partition(struct node *head, int pivot, struct node **last)
{
    struct node *less_head = NULL, *less_tail = NULL;
    struct node *same_head = NULL, *same_tail = NULL;
    struct node *more_head = NULL, *more_tail = NULL;
    struct node *current = head;

    while (current != NULL) {
        if (current->value < pivot) {
            if (less_head == NULL)
                less_head = current;
            else
                less_tail->next = current;
            less_tail = current;
        } else if (current->value == pivot) {
            if (same_head == NULL)
                same_head = current;
            else
                same_tail->next = current;
            same_tail = current;
        } else {
            if (more_head == NULL)
                more_head = current;
            else
                more_tail->next = current;
            more_tail = current;
        }
        current = current->next;
    }
    *last = more_tail;
    if (more_tail != NULL)
        more_tail->next = NULL;
    if (same_tail != NULL) {
        same_tail->next = more_head;
        if (more_head == NULL)
            *last = same_tail;
    } else {
        same_head = more_head;
    }
    if (less_tail == NULL)
        return same_head;
    less_tail->next = same_head;
    if (same_head == NULL)
        *last = less_tail;
    return less_head;
}

struct node *push(struct node *head, int value)
{
    struct node *fresh = (struct node *) malloc(sizeof(struct node));

    fresh->value = value;
    fresh->next = head;
    return fresh;
}

void print_list(const struct node *head)
{
    for (; head != NULL; head = head->next)
        printf("%d ", head->value);
    printf("\n");
}

/* First argument: the value to partition around, the others: the list. */
int main(int argc, char **argv)
{
    static const int defaults[] = { 1, 4, 3, 2, 5, 2 };
    struct node *head = NULL;
    struct node *last;
    int pivot = 3;

    if (argc == 1)
        for (int i = 5; i >= 0; i--)
            head = push(head, defaults[i]);
    else
        pivot = atoi(argv[1]);
    for (int i = argc - 1; i >= 2; i--)
        head = push(head, atoi(argv[i]));
    print_list(head);
    head = partition(head, pivot, &last);
    print_list(head);
    if (last != NULL)
        printf("last %d\n", last->value);
    return 0;
}
