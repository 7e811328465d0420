// Make the middle node the head of a doubly linked list, by moving it alone or by rotating the list.
//~ ID: L9
//~ FUNCTION: middle_to_head, append
//~ INPUT: 0 3 1 4 1 5
//~ INPUT: 1 3 1 4 1 5
//~ INPUT: 0 2 6 8 9
//~ INPUT: 1 8 5
//~ INPUT: 0 8 5
//~ INPUT: 0 7
//~ INPUT: 1
//~ UNSEEN: 0 9 8 7 6 5 4
//~ UNSEEN: 1 9 8 7 6 5 4
//~ UNSEEN: 0 1 2 3
//~ UNSEEN: 1 1 2 3
//~ UNSEEN: 1 -3
//~ UNSEEN: 1 4 4 2 4
//~ UNSEEN: 0 10 20 30 40 50 60 70 80 90
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
    struct node *prev;
};

struct node *head;
struct node *tail;

void append(int value)
{
    struct node *fresh = malloc(sizeof(struct node));

    fresh->value = value;
    fresh->next = NULL;
    fresh->prev = tail;
    if (tail == NULL)
        head = fresh;
    else
        tail->next = fresh;
    tail = fresh;
}

/* The second of the two middle nodes if the number of nodes is even. If rotate is set, the
   nodes in front of the middle go behind the old end of the list; else only the middle moves. */
void middle_to_head(int rotate)
{
    struct node *middle;
    struct node *from_front;
    struct node *from_back;

    if (head == NULL || head->next == NULL)
        return;
    from_front = head;
    from_back = tail;
    while (from_front != from_back && from_front->next != from_back) {
        from_front = from_front->next;
        from_back = from_back->prev;
    }
    if (from_front == from_back)
        middle = from_front;
    else
        middle = from_back;
    if (rotate) {
        tail->next = head;
        head->prev = tail;
        tail = middle->prev;
        tail->next = NULL;
        middle->prev = NULL;
    } else {
        middle->prev->next = middle->next;
        if (middle->next != NULL)
            middle->next->prev = middle->prev;
        else
            tail = middle->prev;
        middle->prev = NULL;
        middle->next = head;
        head->prev = middle;
    }
    head = middle;
}

void print_list(void)
{
    struct node *p;

    for (p = head; p != NULL; p = p->next)
        printf("%d ", p->value);
    printf("| ");
    for (p = tail; p != NULL; p = p->prev)
        printf("%d ", p->value);
    printf("\n");
}

/* First argument: 1 to rotate, 0 to move the middle node only, the others: the list. */
int main(int argc, char **argv)
{
    int rotate = 0;

    if (argc == 1)
        for (int v = 1; v <= 5; v++)
            append(v);
    else
        rotate = atoi(argv[1]);
    for (int i = 2; i < argc; i++)
        append(atoi(argv[i]));
    print_list();
    middle_to_head(rotate);
    print_list();
    return 0;
}
