// Move the last node of a doubly linked list to the front, as often as asked for.
//~ ID: L3
//~ FUNCTION: last_to_first, push
//~ INPUT: 1 3 1 4 1 5
//~ INPUT: 2 6 2 8 7
//~ INPUT: 1 7
//~ INPUT: 3 2 6
//~ INPUT: -2 5 6 7 8
//~ INPUT: 1
//~ UNSEEN: 1 9 8 7 6 5 4
//~ UNSEEN: 5 1 2 3 4 5
//~ UNSEEN: 4 1 2 3
//~ UNSEEN: -1 1 2 3
//~ UNSEEN: 0 1 2 3
//~ UNSEEN: -5 1 2
//~ UNSEEN: 2 8 8 9
//~ UNSEEN: 3
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

typedef struct node Node;

struct node {
    int value;
    Node *next;
    Node *prev;
};

void push(Node **head_ref, Node **tail_ref, int value)
{
    Node *fresh = (Node *) malloc(sizeof(Node));

    fresh->value = value;
    fresh->next = *head_ref;
    fresh->prev = NULL;
    if (*head_ref == NULL)
        *tail_ref = fresh;
    else
        (*head_ref)->prev = fresh;
    *head_ref = fresh;
}

/* A negative number moves first nodes to the end instead. */
int last_to_first(Node **head_ref, Node **tail_ref, int times)
{
    Node *first = *head_ref;
    Node *last = *tail_ref;
    Node *moving;
    int moved = 0;

    if (first == NULL || first == last)
        return 0;
    if (times >= 0) {
        while (moved < times) {
            moving = last;
            last = moving->prev;
            last->next = NULL;
            moving->prev = NULL;
            moving->next = first;
            first->prev = moving;
            first = moving;
            moved++;
        }
    } else {
        while (moved > times) {
            moving = first;
            first = moving->next;
            first->prev = NULL;
            moving->next = NULL;
            moving->prev = last;
            last->next = moving;
            last = moving;
            moved--;
        }
    }
    *head_ref = first;
    *tail_ref = last;
    return moved;
}

void print_list(Node *head, Node *tail)
{
    Node *p;

    for (p = head; p != NULL; p = p->next)
        printf("%d ", p->value);
    printf("|");
    for (p = tail; p != NULL; p = p->prev)
        printf(" %d", p->value);
    printf("\n");
}

/* First argument: how often, the others: the list. */
int main(int argc, char **argv)
{
    Node *head = NULL;
    Node *tail = NULL;
    int times = 1, moved;

    if (argc == 1) {
        push(&head, &tail, 4);
        push(&head, &tail, 3);
        push(&head, &tail, 2);
        push(&head, &tail, 1);
    } else {
        times = atoi(argv[1]);
        times = times % 1000;
    }
    for (int i = argc - 1; i >= 2; i--)
        push(&head, &tail, atoi(argv[i]));
    print_list(head, tail);
    moved = last_to_first(&head, &tail, times);
    print_list(head, tail);
    printf("%d moved\n", moved);
    return 0;
}
