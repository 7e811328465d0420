// Insert a value into a sorted singly linked list so that it stays sorted.
//~ ID: B5
//~ FUNCTION: sorted_insert
//~ INPUT: 3 1 4 2 5
//~ INPUT: 7
//~ INPUT: 6 2 2 9
//~ UNSEEN: 9 8 7 6 5 4
//~ UNSEEN: 1 2 3 4 5 6 7
//~ UNSEEN: 5 5
//~ UNSEEN: 0 -7 3 -7 0 12
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

void sorted_insert(struct node **head_ref, int value)
{
    struct node *fresh = malloc(sizeof(struct node));
    struct node *current;

    fresh->value = value;
    if (*head_ref == NULL || (*head_ref)->value >= value) {
        fresh->next = *head_ref;
        *head_ref = fresh;
    } else {
        current = *head_ref;
        while (current->next != NULL && current->next->value < value)
            current = current->next;
        fresh->next = current->next;
        current->next = fresh;
    }
}

void print_list(const struct node *head)
{
    const struct node *p = head;

    while (p != NULL) {
        printf("%d ", p->value);
        p = p->next;
    }
    putchar('\n');
}

/* The arguments are inserted one after the other; none means 5 10 7 3 1 9. */
int main(int argc, char **argv)
{
    int defaults[] = { 5, 10, 7, 3, 1, 9 };
    struct node *head = NULL;
    int i;

    if (argc == 1)
        for (i = 0; i < 6; i++)
            sorted_insert(&head, defaults[i]);
    for (i = 1; i < argc; i++)
        sorted_insert(&head, atoi(argv[i]));
    print_list(head);
    return 0;
}
