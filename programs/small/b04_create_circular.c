// Create a circular singly linked list from an array of values.
//~ ID: B4
//~ FUNCTION: create
//~ INPUT: 3 1 4 1 5
//~ INPUT: 7
//~ INPUT: 2 6
//~ INPUT:
//~ UNSEEN: 9 8 7 6 5 4
//~ UNSEEN: 0 0 0
//~ UNSEEN: -5
//~ UNSEEN: 1 -2 3 -4
//~ UNSEEN: 10 20 30 40 50 60 70 80
#include <stdio.h>
#include <stdlib.h>

typedef struct node {
    int data;
    struct node *next;
} Node;

Node *create(const int *values, int n)
{
    Node *first = NULL;
    Node *last = NULL;
    Node *fresh;

    for (int i = 0; i < n; i++) {
        fresh = (Node *) malloc(sizeof(Node));
        fresh->data = values[i];
        if (first == NULL)
            first = fresh;
        else
            last->next = fresh;
        last = fresh;
        last->next = first;
    }
    return first;
}

void print_once_round(Node *first)
{
    Node *p = first;

    if (first == NULL) {
        printf("empty\n");
        return;
    }
    do {
        printf("%d ", p->data);
        p = p->next;
    } while (p != first);
    printf("(back at %d)\n", p->data);
}

/* The arguments are the values; none means an empty list. */
int main(int argc, char **argv)
{
    int n = argc - 1;
    int *values = calloc(n + 1, sizeof(int));
    Node *list;

    for (int i = 0; i < n; i++)
        values[i] = atoi(argv[i + 1]);
    list = create(values, n);
    print_once_round(list);
    free(values);
    return 0;
}
