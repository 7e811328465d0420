// Build the intersection of two sorted linked lists, and the difference too, as new lists without duplicates.
//~ ID: L4
//~ FUNCTION: intersection, insert
//~ INPUT: 4 1 2 4 6 2 3 4 6 8
//~ INPUT: 3 5 5 7 5 5 9
//~ INPUT: 3 1 3 7 2 4
//~ INPUT: 0 1 2
//~ INPUT: 2 8 9
//~ INPUT: 5 2 2 3 3 9 2 3 3 7
//~ UNSEEN: 3 1 2 3 1 2 3
//~ UNSEEN: 1 4 1 2 3 4
//~ UNSEEN: 5 9 8 7 6 5 6 5 4
//~ UNSEEN: 3 0 0 0 0
//~ UNSEEN: 0
//~ UNSEEN: 4 -3 -1 2 2 -3 -2 2 2 2
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *a;
struct node *b;
struct node *common;
struct node *only_a;

/* Keeps the list sorted. */
void insert(struct node **link, int value)
{
    struct node *fresh;

    while (*link != NULL && (*link)->value < value)
        link = &(*link)->next;
    fresh = malloc(sizeof *fresh);
    fresh->value = value;
    fresh->next = *link;
    *link = fresh;
}

int intersection(void)
{
    struct node *p = a;
    struct node *q = b;
    struct node *common_last = NULL;
    struct node *only_last = NULL;
    struct node *fresh;
    int count = 0;

    common = NULL;
    only_a = NULL;
    while (p != NULL) {
        while (q != NULL && q->value < p->value)
            q = q->next;
        if (p->next != NULL && p->next->value == p->value) {
            /* the last one of equal values counts */
            p = p->next;
            continue;
        }
        fresh = malloc(sizeof *fresh);
        fresh->value = p->value;
        fresh->next = NULL;
        if (q != NULL && q->value == p->value) {
            if (common_last == NULL)
                common = fresh;
            else
                common_last->next = fresh;
            common_last = fresh;
            count++;
        } else {
            if (only_last == NULL)
                only_a = fresh;
            else
                only_last->next = fresh;
            only_last = fresh;
        }
        p = p->next;
    }
    return count;
}

void print_list(struct node *p)
{
    printf("{");
    while (p != NULL) {
        printf(" %d", p->value);
        p = p->next;
    }
    printf(" }\n");
}

/* First argument: how many of the others belong to the first list; the rest is the second. */
int main(int argc, char **argv)
{
    int n, count;

    if (argc == 1) {
        insert(&a, 1);
        insert(&a, 2);
        insert(&a, 3);
        insert(&b, 2);
        insert(&b, 3);
        insert(&b, 4);
    } else {
        n = atoi(argv[1]);
        for (int i = 2; i < argc; i++) {
            if (i - 2 < n)
                insert(&a, atoi(argv[i]));
            else
                insert(&b, atoi(argv[i]));
        }
    }
    print_list(a);
    print_list(b);
    count = intersection();
    print_list(common);
    print_list(only_a);
    printf("%d in common\n", count);
    return 0;
}
