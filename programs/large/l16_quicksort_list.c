// Quicksort of a singly linked list by relinking its nodes.
//~ ID: L16
//~ FUNCTION: partition, quick_sort
//~ INPUT: 3 1 4 2 5
//~ INPUT: 6 2 8
//~ INPUT: 4 3
//~ INPUT: 1 2
//~ INPUT: 7
//~ INPUT:
//~ UNSEEN: 9 8 7 6 5 4
//~ UNSEEN: 1 2 3 4 5 6
//~ UNSEEN: 5 5 5
//~ UNSEEN: 2 1
//~ UNSEEN: -3 10 0 -3 7 2 2
//~ UNSEEN: 50 20 90 10 40 70 30 60 80
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

void push(struct node **head_ref, int data)
{
    struct node *fresh = malloc(sizeof(struct node));

    fresh->data = data;
    fresh->next = *head_ref;
    *head_ref = fresh;
}

/* Takes the first node as pivot and distributes the others in their order; returns the pivot. */
struct node *partition(struct node *list, struct node **smaller, struct node **greater)
{
    struct node *pivot = list;
    struct node *current = list->next;
    struct node *smaller_tail = NULL;
    struct node *greater_tail = NULL;

    *smaller = NULL;
    *greater = NULL;
    while (current != NULL) {
        if (current->data < pivot->data) {
            if (smaller_tail == NULL)
                *smaller = current;
            else
                smaller_tail->next = current;
            smaller_tail = current;
        } else {
            if (greater_tail == NULL)
                *greater = current;
            else
                greater_tail->next = current;
            greater_tail = current;
        }
        current = current->next;
    }
    if (smaller_tail != NULL)
        smaller_tail->next = NULL;
    if (greater_tail != NULL)
        greater_tail->next = NULL;
    return pivot;
}

struct node *quick_sort(struct node *list)
{
    struct node *pivot, *smaller, *greater, *last;

    if (list == NULL || list->next == NULL)
        return list;
    pivot = partition(list, &smaller, &greater);
    smaller = quick_sort(smaller);
    greater = quick_sort(greater);
    pivot->next = greater;
    if (smaller == NULL)
        return pivot;
    last = smaller;
    while (last->next != NULL)
        last = last->next;
    last->next = pivot;
    return smaller;
}

void print_list(struct node *p)
{
    while (p != NULL) {
        printf("%d  ", p->data);
        p = p->next;
    }
    printf("\n");
}

/* The arguments are the list; none means an empty list. */
int main(int argc, char **argv)
{
    struct node *head = NULL;

    for (int i = argc - 1; i > 0; i--)
        push(&head, atoi(argv[i]));
    print_list(head);
    head = quick_sort(head);
    print_list(head);
    return 0;
}
