// Remove the duplicates from an unsorted singly linked list; the first occurrence of every value stays.
//~ ID: L2
//~ FUNCTION: remove_duplicates, append
//~ INPUT: 3 1 3 1 5
//~ INPUT: 4 4 4
//~ INPUT: 7
//~ INPUT: 2 6 2 8 6 8
//~ INPUT: 1 4 4
//~ INPUT:
//~ UNSEEN: 9 8 7 6 5 4
//~ UNSEEN: 1 1
//~ UNSEEN: 5 1 5 1 5 1 5
//~ UNSEEN: 0 -1 0 1 -1
//~ UNSEEN: 1 2 2 3 3 3 4
//~ UNSEEN: 6 5 4 4 5 6
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct list {
    struct node *first;
    struct node *last;
    int length;
};

void append(struct list *list, int value)
{
    struct node *fresh = malloc(sizeof(struct node));

    fresh->value = value;
    fresh->next = NULL;
    if (list->first == NULL)
        list->first = fresh;
    else
        list->last->next = fresh;
    list->last = fresh;
    list->length++;
}

/* The second occurrence of a value moves to the list repeated, further ones are freed. */
void remove_duplicates(struct list *list, struct list *repeated)
{
    struct node *outer = list->first;
    struct node *inner;
    struct node *duplicate;
    struct node *tail;
    int found;

    tail = outer;
    while (outer != NULL && outer->next != NULL) {
        found = 0;
        tail = outer;
        inner = outer;
        while (inner->next != NULL) {
            duplicate = inner->next;
            if (duplicate->value != outer->value) {
                inner = duplicate;
                tail = duplicate;
            } else {
                inner->next = duplicate->next;
                list->length = list->length - 1;
                found = found + 1;
                if (found > 1) {
                    free(duplicate);
                } else {
                    duplicate->next = NULL;
                    if (repeated->first == NULL)
                        repeated->first = duplicate;
                    else
                        repeated->last->next = duplicate;
                    repeated->last = duplicate;
                    repeated->length = repeated->length + 1;
                }
            }
        }
        outer = outer->next;
    }
    list->last = tail;
}

void print_list(struct list *list)
{
    struct node *p;

    printf("%d:", list->length);
    for (p = list->first; p != NULL; p = p->next)
        printf(" %d", p->value);
    if (list->last != NULL)
        printf(" (last %d)", list->last->value);
    printf("\n");
}

/* The arguments are the list; none means an empty list. */
int main(int argc, char **argv)
{
    struct list list = { NULL, NULL, 0 };
    struct list repeated = { NULL, NULL, 0 };

    for (int i = 1; i < argc; i++)
        append(&list, atoi(argv[i]));
    print_list(&list);
    remove_duplicates(&list, &repeated);
    print_list(&list);
    print_list(&repeated);
    return 0;
}
