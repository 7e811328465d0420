// Insert a value into a sorted (ascending) singly linked list so that it stays sorted; the first node is returned.
//~ FUNCTION: sorted_insert
//~ INPUT: 4 1 3 5 7
//~ INPUT: 1 2 6
//~ INPUT: 9 2 5 8
//~ INPUT: 5
//~ INPUT: 5 2 5 8 9
//~ UNSEEN: 0 1 2 3
//~ UNSEEN: -3
//~ UNSEEN: 6 4
//~ UNSEEN: 2 4
//~ UNSEEN: 7 3 8
//~ UNSEEN: 3 3 3 3
//~ UNSEEN: 10 1 2 3 4 5 6 7 8 9
//~ UNSEEN: 6 1 2 3 4 5 7 8 9
//~ UNSEEN: 8 1 2 3 4 5 7 9
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct node {
    int val;
    struct node *next;
};

struct node *append(struct node *head, int val)
{
    struct node *fresh = malloc(sizeof(struct node));
    struct node *p = head;

    fresh->val = val;
    fresh->next = NULL;
    if (head == NULL)
        return fresh;
    while (p->next != NULL)
        p = p->next;
    p->next = fresh;
    return head;
}

struct node *sorted_insert(struct node *head, int val)
{
    struct node *prev = NULL;
    struct node *curr = head;
    struct node *newnode = malloc(sizeof(struct node));

    newnode->val = val;
    newnode->next = NULL;
    while (val > curr->val && curr != NULL) {
        prev = curr;
        curr = curr->next;
    }
    if (prev == NULL) {
        head = newnode;
    } else {
        prev->next = newnode;
    }
    return head;
}

void print_list(struct node *head)
{
    struct node *p;

    for (p = head; p != NULL; p = p->next)
        printf("%d ", p->val);
    printf("\n");
}

/* First argument: the value to insert (0 if there is none), the others: the list, already sorted. */
int main(int argc, char **argv)
{
    struct node *head = NULL;
    int val = 0;
    int i;

    if (argc > 1)
        val = atoi(argv[1]);
    for (i = 2; i < argc; i++)
        head = append(head, atoi(argv[i]));
    head = sorted_insert(head, val);
    print_list(head);
    return 0;
}
