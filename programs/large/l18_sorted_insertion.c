// Insert values into a sorted doubly linked list that counts duplicates and remembers the order of insertion.
//~ ID: L18
//~ FUNCTION: sorted_insert
//~ INPUT: 3 1 4 2 5
//~ INPUT: 7
//~ INPUT: 6 2 6 9 2 9
//~ INPUT: 5 8 6 7 6
//~ UNSEEN: 9 8 7 6 5 4
//~ UNSEEN: 1 2 3 4 5 6 7
//~ UNSEEN: 5 5
//~ UNSEEN: 0 -7 3 -7 0 12
//~ UNSEEN: 4 1 3 2 3 1 4
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

typedef struct node {
    int value;
    int count;
    struct node *next;
    struct node *prev;
    struct node *older;
} Node;

typedef struct list {
    Node *head;
    Node *tail;
    Node *newest;
} List;

/* Returns 1 if the value is new; else it is counted only. */
int sorted_insert(List *list, int value)
{
    Node *fresh;
    Node *before = NULL;
    Node *after = list->head;

    if (list->tail != NULL && list->tail->value < value) {
        /* a shortcut for the end of the list */
        before = list->tail;
        after = NULL;
    }
    while (after != NULL && after->value < value) {
        before = after;
        after = after->next;
    }
    if (after != NULL && after->value == value) {
        after->count = after->count + 1;
        return 0;
    }
    fresh = (Node *) malloc(sizeof(Node));
    fresh->value = value;
    fresh->count = 1;
    fresh->prev = before;
    fresh->next = after;
    fresh->older = list->newest;
    list->newest = fresh;
    if (before == NULL)
        list->head = fresh;
    else
        before->next = fresh;
    if (after == NULL)
        list->tail = fresh;
    else
        after->prev = fresh;
    return 1;
}

void print_list(List *list)
{
    Node *p;

    printf("forward:");
    for (p = list->head; p != NULL; p = p->next)
        printf(" %dx%d", p->value, p->count);
    printf("\nbackward:");
    for (p = list->tail; p != NULL; p = p->prev)
        printf(" %d", p->value);
    printf("\nnewest first:");
    for (p = list->newest; p != NULL; p = p->older)
        printf(" %d", p->value);
    printf("\n");
}

/* The arguments are inserted one after the other; none means 5 10 7 5. */
int main(int argc, char **argv)
{
    static int defaults[] = { 5, 10, 7, 5 };
    List list = { NULL, NULL, NULL };
    int inserted = 0;

    if (argc == 1)
        for (int i = 0; i < 4; i++)
            inserted += sorted_insert(&list, defaults[i]);
    for (int i = 1; i < argc; i++)
        inserted += sorted_insert(&list, atoi(argv[i]));
    print_list(&list);
    printf("%d inserted\n", inserted);
    while (list.head != NULL) {
        Node *next = list.head->next;
        free(list.head);
        list.head = next;
    }
    return 0;
}
