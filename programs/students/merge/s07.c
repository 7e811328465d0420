// Merge two sorted (ascending) singly linked lists into one by relinking their nodes; the first node is returned.
//~ FUNCTION: merge
//~ INPUT: 3 1 4 6 2 3 7 9
//~ INPUT: 2 5 8 1 2 3
//~ INPUT: 0 1 2
//~ INPUT: 2 3 5
//~ INPUT: 3 2 4 4 1 4 9
//~ INPUT: 0
//~ UNSEEN: 1 5
//~ UNSEEN: 0 8
//~ UNSEEN: 1 2 1
//~ UNSEEN: 1 1 2
//~ UNSEEN: 2 3 3 3 3
//~ UNSEEN: 5 1 3 5 7 9 2 4 6 8 10
//~ UNSEEN: 4 6 7 8 9 1 2 3
//~ UNSEEN: 3 1 2 3 4 5 6 7
//~ UNSEEN: 1 -5 -7 -6 -5 0 4
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *make_list(char **words, int from, int to)
{
    struct node *list = NULL;
    int i;

    for (i = to - 1; i >= from; i--) {
        struct node *p = malloc(sizeof(struct node));

        p->data = atoi(words[i]);
        p->next = list;
        list = p;
    }
    return list;
}

struct node *merge(struct node *a, struct node *b)
{
    struct node *head = malloc(sizeof(struct node));
    struct node *t = head;

    head->next = NULL;
    while (a != NULL && b != NULL) {
        if (a->data < b->data) {
            t->next = a;
            a = a->next;
        }
        else {
            t->next = b;
            b = b->next;
        }
        t = t->next;
    }
    t->next = (a != NULL) ? a : b;
    return t->next;
}

void print_list(struct node *list)
{
    struct node *p = list;

    while (p != NULL) {
        printf("%d ", p->data);
        p = p->next;
    }
    printf("\n");
}

/* First argument: the length of the first list (0 if there is none), then the first and the second list. */
int main(int argc, char **argv)
{
    struct node *first, *second, *both;
    int n = 0;

    if (argc > 1)
        n = atoi(argv[1]);
    first = make_list(argv, 2, 2 + n);
    second = make_list(argv, 2 + n, argc);
    both = merge(first, second);
    print_list(both);
    return 0;
}
