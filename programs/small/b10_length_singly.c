// Append nodes to a singly linked list and compute its length.
//~ ID: B10
//~ FUNCTION: append, length
//~ INPUT: 3 1 4 1 5
//~ INPUT: 7
//~ INPUT: 2 6 4
//~ INPUT:
//~ UNSEEN: 9 8 7 6 5 4
//~ UNSEEN: 0 0
//~ UNSEEN: -1
//~ UNSEEN: 1 2 3 4
//~ UNSEEN: 5 4 3 2 1 0 -1 -2 -3 -4 -5
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *head;

void append(int value)
{
    struct node *fresh, *last;

    fresh = malloc(sizeof(struct node));
    fresh->value = value;
    fresh->next = NULL;
    if (head == NULL) {
        head = fresh;
    } else {
        last = head;
        while (last->next != NULL)
            last = last->next;
        last->next = fresh;
    }
}

int length(void)
{
    struct node *p;
    int count;

    count = 0;
    p = head;
    while (p != NULL) {
        count = count + 1;
        p = p->next;
    }
    return count;
}

void print_list(void)
{
    struct node *p = head;

    while (p != NULL) {
        printf("%d ", p->value);
        p = p->next;
    }
    printf("\n");
}

/* The arguments are the values; none means an empty list. */
int main(int argc, char **argv)
{
    int i;

    for (i = 1; i < argc; i++)
        append(atoi(argv[i]));
    print_list();
    printf("length %d\n", length());
    return 0;
}
