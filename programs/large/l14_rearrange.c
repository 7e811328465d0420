// Rearrange a doubly linked list: first node, last node, second node, last but one, and so on.
//~ ID: L14
//~ FUNCTION: rearrange, append
//~ INPUT: 3 1 4 2 5
//~ INPUT: 2 6 8 9
//~ INPUT: 7
//~ INPUT: 8 5
//~ INPUT:
//~ UNSEEN: 9 8 7 6 5 4
//~ UNSEEN: 1 2 3
//~ UNSEEN: 5 5 5 5
//~ UNSEEN: 1 2 3 4 5 6 7
//~ UNSEEN: -1
//~ UNSEEN: 10 20 30 40 50 60 70 80
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
    struct node *prev;
};

struct node *append(struct node *head, int value)
{
    struct node *fresh = malloc(sizeof *fresh);

    fresh->value = value;
    fresh->next = NULL;
    fresh->prev = NULL;
    if (head == NULL) {
        head = fresh;
    } else {
        struct node *p = head;
        while (p->next)
            p = p->next;
        p->next = fresh;
        fresh->prev = p;
    }
    return head;
}

struct node *rearrange(struct node *head)
{
    struct node *slow = head, *fast = head;
    struct node *back, *reversed, *following;
    struct node *front, *tail;
    struct node sentinel;

    if (head == NULL || head->next == NULL)
        return head;
    /* cut the list behind the middle */
    while (fast->next != NULL && fast->next->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
    }
    front = head;
    back = slow->next;
    slow->next = NULL;
    /* reverse the second half */
    reversed = NULL;
    while (back != NULL) {
        following = back->next;
        back->next = reversed;
        reversed = back;
        back = following;
    }
    /* take nodes from both halves in turn */
    tail = &sentinel;
    while (front != NULL) {
        tail->next = front;
        front->prev = tail;
        tail = front;
        front = front->next;
        if (reversed != NULL) {
            tail->next = reversed;
            reversed->prev = tail;
            tail = reversed;
            reversed = reversed->next;
        }
    }
    tail->next = NULL;
    head->prev = NULL;
    return head;
}

void print_list(struct node *p)
{
    struct node *last = NULL;

    for (; p != NULL; p = p->next) {
        printf("%d ", p->value);
        last = p;
    }
    printf("|");
    for (; last != NULL; last = last->prev)
        printf(" %d", last->value);
    printf("\n");
}

/* The arguments are the list; none means an empty list. */
int main(int argc, char **argv)
{
    struct node *head = NULL;

    for (int i = 1; i < argc; i++)
        head = append(head, atoi(argv[i]));
    print_list(head);
    head = rearrange(head);
    print_list(head);
    return 0;
}
