// Split a circular singly linked list into two circular halves.
//~ ID: B12
//~ FUNCTION: split
//~ INPUT: 3 1 4 1 5
//~ INPUT: 2 6 8 9
//~ INPUT: 7
//~ INPUT:
//~ UNSEEN: 9 8 7 6 5 4
//~ UNSEEN: 1 2
//~ UNSEEN: 1 2 3
//~ UNSEEN: 0
//~ UNSEEN: 7 7 7 7 7 7 7
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *head;
struct node *first;
struct node *second;

void append(int data)
{
    struct node *fresh = malloc(sizeof(struct node));
    struct node *p = head;

    fresh->data = data;
    if (head == NULL) {
        head = fresh;
    } else {
        while (p->next != head)
            p = p->next;
        p->next = fresh;
    }
    fresh->next = head;
}

/* The first half gets the middle node if the number of nodes is odd. */
void split(void)
{
    struct node *slow = head;
    struct node *fast = head;

    first = head;
    second = NULL;
    if (head == NULL)
        return;
    while (fast->next != head && fast->next->next != head) {
        slow = slow->next;
        fast = fast->next->next;
    }
    if (fast->next != head)
        fast = fast->next;
    if (slow != fast)
        second = slow->next;
    fast->next = slow->next;
    slow->next = head;
}

void print_circle(struct node *start)
{
    struct node *p = start;

    if (start != NULL) {
        do {
            printf("%d ", p->data);
            p = p->next;
        } while (p != start);
    }
    printf("\n");
}

/* The arguments are the values; none means an empty list. */
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        append(atoi(argv[i]));
    print_circle(head);
    split();
    print_circle(first);
    print_circle(second);
    return 0;
}
