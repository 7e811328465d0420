// Reverse a singly linked list by relinking its nodes; the new first node is returned.
//~ FUNCTION: reverse
//~ INPUT: 3 1 4 2 5
//~ INPUT: 7
//~ INPUT: 2 6
//~ INPUT: 8 6 9
//~ INPUT:
//~ UNSEEN: 9 8 7 6 5 4
//~ UNSEEN: 0
//~ UNSEEN: 5 5 5
//~ UNSEEN: -1 2 -3
//~ UNSEEN: 1 2 3 4 5 6 7 8 9 10
//~ UNSEEN: 4 9
//~ UNSEEN: 2 2
//~ UNSEEN: 6 1 6 2
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *push(struct node *head, int data)
{
    struct node *fresh = malloc(sizeof(struct node));

    fresh->data = data;
    fresh->next = head;
    return fresh;
}

void print_list(struct node *head)
{
    while (head != NULL) {
        printf("%d ", head->data);
        head = head->next;
    }
    printf("\n");
}

struct node *reverse(struct node *head)
{
    struct node *current, *prev, *temp;
    current = head;
    prev = NULL;
    while (current->next != NULL)
    {
        temp = current->next;
        current->next = prev;
        prev = current;
        current = temp;
    }
    head = prev;
    return head;
}

/* The arguments are the values from front to back; none means an empty list. */
int main(int argc, char **argv)
{
    struct node *head = NULL;
    int i;

    for (i = argc - 1; i >= 1; i--)
        head = push(head, atoi(argv[i]));
    head = reverse(head);
    print_list(head);
    return 0;
}
