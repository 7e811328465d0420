// Split a doubly linked list into two: the nodes go alternately to the one and to the other list.
//~ ID: L5
//~ FUNCTION: split, append
//~ INPUT: 3 1 4 1 5
//~ INPUT: 2 6 8 9
//~ INPUT: 7
//~ INPUT: 8 8 5 5 6
//~ INPUT:
//~ UNSEEN: 9 8 7 6 5 4
//~ UNSEEN: 1 2 3
//~ UNSEEN: 3 2 2 2 1 1
//~ UNSEEN: 4 4 4 4
//~ UNSEEN: -1
//~ UNSEEN: 1 2 3 4 5 6 7
//~ UNSEEN: 0 9 0 9 0 9 0 9
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>

struct node {
    int data;
    struct node *prev;
    struct node *next;
};

struct list {
    struct node *first;
    struct node *last;
};

void append(struct list *list, int data)
{
    struct node *fresh = malloc(sizeof(struct node));

    fresh->data = data;
    fresh->next = NULL;
    fresh->prev = list->last;
    if (list->last == NULL)
        list->first = fresh;
    else
        list->last->next = fresh;
    list->last = fresh;
}

/* Neighbours with the same value stay together. */
void split(struct list *source, struct list *odd, struct list *even)
{
    struct node *current = source->first;
    struct node *following;
    struct node *previous = NULL;
    bool to_odd = false;

    odd->first = NULL;
    odd->last = NULL;
    even->first = NULL;
    even->last = NULL;
    while (current != NULL) {
        following = current->next;
        current->next = NULL;
        if (previous == NULL || previous->data != current->data)
            to_odd = !to_odd;
        if (to_odd) {
            current->prev = odd->last;
            if (odd->last == NULL)
                odd->first = current;
            else
                odd->last->next = current;
            odd->last = current;
        } else {
            current->prev = even->last;
            if (even->last == NULL)
                even->first = current;
            else
                even->last->next = current;
            even->last = current;
        }
        previous = current;
        current = following;
    }
    source->first = NULL;
    source->last = NULL;
}

void print_list(const char *name, struct list *list)
{
    struct node *p;

    printf("%s:", name);
    for (p = list->first; p != NULL; p = p->next)
        printf(" %d", p->data);
    printf(" |");
    for (p = list->last; p != NULL; p = p->prev)
        printf(" %d", p->data);
    printf("\n");
}

void free_list(struct list *list)
{
    while (list->first != NULL) {
        struct node *rest = list->first->next;
        free(list->first);
        list->first = rest;
    }
}

/* The arguments are the list; none means an empty list. */
int main(int argc, char **argv)
{
    struct list list = { NULL, NULL };
    struct list odd, even;

    for (int i = 1; i < argc; i++)
        append(&list, atoi(argv[i]));
    print_list("list", &list);
    split(&list, &odd, &even);
    print_list("list", &list);
    print_list("odd", &odd);
    print_list("even", &even);
    free_list(&odd);
    free_list(&even);
    return 0;
}
