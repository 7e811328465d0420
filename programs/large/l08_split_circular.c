// Split a circular list behind the node with a given key, or in the middle if there is no such node.
//~ ID: L8
//~ FUNCTION: split, append
//~ INPUT: 4 3 1 4 1 5
//~ INPUT: 5 3 1 4 5
//~ INPUT: 9 3 1 4 5 2 6
//~ INPUT: 9 8 7 6
//~ INPUT: 7 7
//~ INPUT: 0 7
//~ INPUT: 1
//~ UNSEEN: 9 9 8 7 6 5 4
//~ UNSEEN: 4 9 8 7 6 5 4
//~ UNSEEN: 1 2 3
//~ UNSEEN: 2 2 2 2
//~ UNSEEN: 0 1 2 3 4 5 6 7
//~ UNSEEN: 3 1 3
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

typedef struct node {
    int data;
    struct node *next;
} node;

node *append(node *last, int data)
{
    node *fresh = malloc(sizeof(node));

    fresh->data = data;
    if (last == NULL) {
        fresh->next = fresh;
    } else {
        fresh->next = last->next;
        last->next = fresh;
    }
    return fresh;
}

/* The lists are given by their last nodes. Returns the length of the first list. */
int split(node *last, int key, node **first_last, node **second_last)
{
    node *start;
    node *cut;
    node *fast;
    int length = 0;

    *first_last = last;
    *second_last = NULL;
    if (last == NULL)
        return 0;
    start = last->next;
    cut = start;
    length = 1;
    while (cut != last && cut->data != key) {
        cut = cut->next;
        length++;
    }
    if (cut == last) {
        if (cut->data == key || cut == start)
            return length;
        /* the key is not there: look for the middle */
        cut = start;
        length = 1;
        fast = start->next;
        while (fast != last && fast->next != last) {
            cut = cut->next;
            fast = fast->next->next;
            length++;
        }
        if (fast->next == last) {
            cut = cut->next;
            length++;
        }
    }
    last->next = cut->next;
    cut->next = start;
    *first_last = cut;
    *second_last = last;
    return length;
}

void print_circle(const char *name, node *last)
{
    node *p = last;

    printf("%s:", name);
    if (last != NULL) {
        do {
            p = p->next;
            printf(" %d", p->data);
        } while (p != last);
    }
    printf("\n");
}

/* First argument: the key, the others: the list. */
int main(int argc, char **argv)
{
    node *list = NULL;
    node *first, *second;
    int key = 2;
    int length;

    if (argc == 1) {
        list = append(list, 1);
        list = append(list, 2);
        list = append(list, 3);
    } else {
        key = atoi(argv[1]);
    }
    for (int i = 2; i < argc; i++)
        list = append(list, atoi(argv[i]));
    print_circle("list", list);
    length = split(list, key, &first, &second);
    printf("length %d\n", length);
    print_circle("first", first);
    print_circle("second", second);
    return 0;
}
