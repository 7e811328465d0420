// Reverse a singly linked list in place.
//~ ID: B1
//~ FUNCTION: reverse
//~ INPUT: 3 1 4 1 5
//~ INPUT: 7
//~ INPUT: 2 6
//~ INPUT:
//~ UNSEEN: 9 8 7 6 5 4
//~ UNSEEN: 0
//~ UNSEEN: 5 5 5
//~ UNSEEN: -1 2 -3
//~ UNSEEN: 1 2 3 4 5 6 7 8 9 10
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *head = NULL;

void push(int value)
{
    struct node *fresh = malloc(sizeof(struct node));
    fresh->value = value;
    fresh->next = head;
    head = fresh;
}

void reverse(void)
{
    struct node *previous, *current, *following;

    previous = NULL;
    current = head;
    while (current != NULL) {
        following = current->next;
        current->next = previous;
        previous = current;
        current = following;
    }
    head = previous;
}

void print_list(void)
{
    struct node *p;

    for (p = head; p != NULL; p = p->next)
        printf("%d ", p->value);
    printf("\n");
}

/* The arguments are the values from front to back; none means an empty list. */
int main(int argc, char **argv)
{
    int i;

    for (i = argc - 1; i >= 1; i--)
        push(atoi(argv[i]));
    print_list();
    reverse();
    print_list();
    return 0;
}
