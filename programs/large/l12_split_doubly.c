// Split a doubly linked list into three complete lists, around the nodes that are greater than a limit.
//~ ID: L12
//~ FUNCTION: split, append
//~ INPUT: 4 3 1 5 2 6 1
//~ INPUT: 2 7 1
//~ INPUT: 9 3 1 4
//~ INPUT: 5
//~ INPUT: 3 2 8
//~ UNSEEN: 5 9 8 7 6 5 4
//~ UNSEEN: 5 1 2 3 4 5 6 7
//~ UNSEEN: 0 0
//~ UNSEEN: -1 0
//~ UNSEEN: 3 3 3 3 4
//~ UNSEEN: 6 1 2 3 9 8 7
//~ UNSEEN: 1 1 1 2 1 1 1
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

typedef struct dnode {
    int value;
    struct dnode *prev;
    struct dnode *next;
} dnode;

typedef struct dlist {
    dnode *first;
    dnode *last;
} dlist;

void append(dlist *list, int value)
{
    dnode *fresh = (dnode *) malloc(sizeof(dnode));

    fresh->value = value;
    fresh->next = NULL;
    fresh->prev = list->last;
    if (list->last == NULL)
        list->first = fresh;
    else
        list->last->next = fresh;
    list->last = fresh;
}

/* The list keeps the nodes in front of the first node above the limit; middle gets the nodes
   from there to the last node above the limit, and rest gets what follows. */
void split(dlist *list, int limit, dlist *middle, dlist *rest)
{
    dnode *first = list->first;
    dnode *last = list->last;

    middle->first = NULL;
    middle->last = NULL;
    rest->first = NULL;
    rest->last = NULL;
    while (first != NULL && first->value <= limit)
        first = first->next;
    if (first == NULL)
        return;
    while (last->value <= limit)
        last = last->prev;
    if (last->next != NULL) {
        rest->first = last->next;
        rest->last = list->last;
        rest->first->prev = NULL;
        last->next = NULL;
    }
    if (first->prev != NULL) {
        list->last = first->prev;
        list->last->next = NULL;
        first->prev = NULL;
    } else {
        list->first = NULL;
        list->last = NULL;
    }
    middle->first = first;
    middle->last = last;
}

void print_list(const char *name, const dlist *list)
{
    const dnode *p;

    printf("%s:", name);
    for (p = list->first; p != NULL; p = p->next)
        printf(" %d", p->value);
    printf(" |");
    for (p = list->last; p != NULL; p = p->prev)
        printf(" %d", p->value);
    printf("\n");
}

/* First argument: the limit, the others: the list. */
int main(int argc, char **argv)
{
    dlist list = { NULL, NULL };
    dlist middle, rest;
    int limit = 2;

    if (argc == 1)
        for (int v = 1; v <= 4; v++)
            append(&list, v);
    else
        limit = atoi(argv[1]);
    for (int i = 2; i < argc; i++)
        append(&list, atoi(argv[i]));
    print_list("list", &list);
    split(&list, limit, &middle, &rest);
    print_list("list", &list);
    print_list("middle", &middle);
    print_list("rest", &rest);
    return 0;
}
