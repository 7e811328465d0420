// Build a singly linked list and print all its nodes.
//~ ID: B11
//~ FUNCTION: print_list
//~ INPUT: 3 1 4 1 5
//~ INPUT: 7
//~ INPUT: 2 6
//~ INPUT:
//~ UNSEEN: 9 8 7 6 5 4
//~ UNSEEN: 0
//~ UNSEEN: -1 -1
//~ UNSEEN: 4 3 2 1
//~ UNSEEN: 100 200 300 400 500 600 700
#include <stdio.h>
#include <stdlib.h>

typedef struct node {
    int value;
    struct node *next;
} Node;

void append(Node **head, Node **tail, int value)
{
    Node *fresh = malloc(sizeof(Node));

    fresh->value = value;
    fresh->next = NULL;
    if (*head == NULL)
        *head = fresh;
    else
        (*tail)->next = fresh;
    *tail = fresh;
}

int print_list(Node *head)
{
    Node *p = head;
    int printed = 0;

    while (p != NULL) {
        if (p != head)
            printf(" -> ");
        printf("%d", p->value);
        printed++;
        p = p->next;
    }
    printf("\n");
    return printed;
}

/* The arguments are the values; none means an empty list. */
int main(int argc, char **argv)
{
    Node *head = NULL;
    Node *tail = NULL;
    int printed;

    for (int i = 1; i < argc; i++)
        append(&head, &tail, atoi(argv[i]));
    printed = print_list(head);
    printf("%d nodes\n", printed);
    while (head != NULL) {
        Node *dead = head;
        head = head->next;
        free(dead);
    }
    return 0;
}
