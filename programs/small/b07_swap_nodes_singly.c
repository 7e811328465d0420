// Swap two nodes of a singly linked list, given by their values, by changing links only.
//~ ID: B7
//~ FUNCTION: swap_nodes
//~ INPUT: 1 4 3 1 5 4 6
//~ INPUT: 3 5 3 1 5
//~ INPUT: 5 3 3 1 5
//~ INPUT: 2 2 1 2
//~ INPUT: 8 1 1 2
//~ INPUT: 1 8 1 2
//~ UNSEEN: 2 3 1 2 3 4
//~ UNSEEN: 3 2 1 2 3 4
//~ UNSEEN: 1 2 1 2
//~ UNSEEN: 6 1 1 2 3 4 5 6
//~ UNSEEN: 5 7
//~ UNSEEN:
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

void swap_nodes(struct node **head_ref, int x, int y)
{
    struct node *prev_x = NULL, *curr_x = *head_ref;
    struct node *prev_y = NULL, *curr_y = *head_ref;
    struct node *temp;

    if (x == y)
        return;
    while (curr_x != NULL && curr_x->data != x) {
        prev_x = curr_x;
        curr_x = curr_x->next;
    }
    while (curr_y != NULL && curr_y->data != y) {
        prev_y = curr_y;
        curr_y = curr_y->next;
    }
    if (curr_x == NULL || curr_y == NULL)
        return;
    if (prev_x != NULL)
        prev_x->next = curr_y;
    else
        *head_ref = curr_y;
    if (prev_y != NULL)
        prev_y->next = curr_x;
    else
        *head_ref = curr_x;
    temp = curr_y->next;
    curr_y->next = curr_x->next;
    curr_x->next = temp;
}

void print_list(struct node *head)
{
    while (head) {
        printf("%d ", head->data);
        head = head->next;
    }
    printf("\n");
}

/* Arguments: the two values, then the list from front to back. */
int main(int argc, char **argv)
{
    struct node *head = NULL;
    int x = 12, y = 14;

    if (argc < 3) {
        for (int v = 15; v >= 11; v--)
            push(&head, v);
    } else {
        x = atoi(argv[1]);
        y = atoi(argv[2]);
        for (int i = argc - 1; i >= 3; i--)
            push(&head, atoi(argv[i]));
    }
    print_list(head);
    swap_nodes(&head, x, y);
    print_list(head);
    return 0;
}
