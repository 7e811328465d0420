// Delete the middle of a doubly linked list: one node if its length is odd, both middle nodes if it is even.
//~ ID: L1
//~ FUNCTION: delete_middle, push
//~ INPUT: 3 1 4 1 5
//~ INPUT: 9 2 6 5
//~ INPUT: 7
//~ INPUT: 8 6
//~ INPUT:
//~ UNSEEN: 9 8 7 6 5 4
//~ UNSEEN: 1 2 3
//~ UNSEEN: 0 0 0 0
//~ UNSEEN: 1 2 3 4 5 6 7
//~ UNSEEN: -4
//~ UNSEEN: 10 20 30 40 50 60 70 80
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
    struct node *prev;
};

struct node *head;
struct node *tail;
struct node *removed;

void push(int value)
{
    struct node *fresh = malloc(sizeof(struct node));

    fresh->value = value;
    fresh->prev = NULL;
    fresh->next = head;
    if (head != NULL)
        head->prev = fresh;
    else
        tail = fresh;
    head = fresh;
}

/* The deleted nodes become the list removed. */
int delete_middle(void)
{
    struct node *slow, *fast;
    struct node *first, *last;
    struct node *before, *after;
    int deleted;

    removed = NULL;
    if (head == NULL)
        return 0;
    slow = head;
    fast = head;
    while (fast->next != NULL && fast->next->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
    }
    /* slow is now the middle node or the first of two middle nodes */
    first = slow;
    if (fast->next != NULL) {
        last = slow->next;
        deleted = 2;
    } else {
        last = slow;
        deleted = 1;
    }
    before = first->prev;
    after = last->next;
    if (before == NULL) {
        head = NULL;
        tail = NULL;
    } else {
        before->next = after;
        after->prev = before;
    }
    first->prev = NULL;
    last->next = NULL;
    removed = first;
    return deleted;
}

void print_list(struct node *first)
{
    struct node *p = first;
    struct node *last = NULL;

    while (p != NULL) {
        printf("%d ", p->value);
        last = p;
        p = p->next;
    }
    printf("|");
    while (last != NULL) {
        printf(" %d", last->value);
        last = last->prev;
    }
    printf("\n");
}

/* The arguments are the list from front to back; none means an empty list. */
int main(int argc, char **argv)
{
    int deleted;

    for (int i = argc - 1; i > 0; i--)
        push(atoi(argv[i]));
    print_list(head);
    deleted = delete_middle();
    print_list(head);
    printf("last %d, %d deleted: ", tail == NULL ? 0 : tail->value, deleted);
    print_list(removed);
    return 0;
}
