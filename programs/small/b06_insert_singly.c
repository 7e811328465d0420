// Insert a value at a given position of a singly linked list (at the end if the list is too short).
//~ ID: B6
//~ FUNCTION: insert_at
//~ INPUT: 2 99 3 1 4 5
//~ INPUT: 0 42 7 8 6
//~ INPUT: 9 50 1 2 3
//~ INPUT: 3 60
//~ UNSEEN: 1 5 9 8 7 6
//~ UNSEEN: 0 1
//~ UNSEEN: 4 -3 1 2 3 4
//~ UNSEEN: 5 11 1 2 3 4 5 6
//~ UNSEEN: -2 8 4 4
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *head;

void insert_at(int position, int value)
{
    struct node *fresh, *p;

    fresh = (struct node *) malloc(sizeof(struct node));
    fresh->value = value;
    if (head == NULL || position <= 0) {
        fresh->next = head;
        head = fresh;
        return;
    }
    p = head;
    while (p->next != NULL && position > 1) {
        p = p->next;
        position = position - 1;
    }
    fresh->next = p->next;
    p->next = fresh;
}

void push(int value)
{
    struct node *fresh = (struct node *) malloc(sizeof(struct node));

    fresh->value = value;
    fresh->next = head;
    head = fresh;
}

void print_list(void)
{
    for (struct node *p = head; p != NULL; p = p->next)
        printf("[%d]", p->value);
    printf("\n");
}

/* Arguments: position, value to insert, then the list from front to back. */
int main(int argc, char **argv)
{
    int position = 1, value = 15;

    if (argc < 3) {
        push(30);
        push(20);
        push(10);
    } else {
        position = atoi(argv[1]);
        value = atoi(argv[2]);
        for (int i = argc - 1; i >= 3; i--)
            push(atoi(argv[i]));
    }
    print_list();
    insert_at(position, value);
    print_list();
    return 0;
}
