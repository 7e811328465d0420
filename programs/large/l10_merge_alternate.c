// Merge the nodes of a second list into a first one at alternate places.
//~ ID: L10
//~ FUNCTION: merge_alternate, push
//~ INPUT: 3 1 3 5 2 4 6
//~ INPUT: 2 1 3 2 4 6 8
//~ INPUT: 4 1 3 5 7 2
//~ INPUT: 0 2 4
//~ INPUT: 2 5 6
//~ INPUT: 3 4 7 9 4 7 8
//~ UNSEEN: 1 9 8 7 6 5 4
//~ UNSEEN: 1 1 2
//~ UNSEEN: 3 5 5 5 5 5 5 5
//~ UNSEEN: 0
//~ UNSEEN: 5 1 2 3 4 5
//~ UNSEEN: 4 1 2 3 4 11 12 13
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

void push(struct node **head_ref, int data)
{
    struct node *fresh = (struct node *) malloc(sizeof(struct node));

    fresh->data = data;
    fresh->next = *head_ref;
    *head_ref = fresh;
}

/* A node that equals one of its new neighbours is moved to the list dropped. Nodes that find
   no place any more go to the end. If the first list is empty, the second one takes its place. */
int merge_alternate(struct node **p_ref, struct node *q, struct node **dropped)
{
    struct node *p = *p_ref;
    struct node *q_next;
    struct node *last = NULL;
    struct node *dropped_last = NULL;
    int filled = 0;

    *dropped = NULL;
    while (p != NULL && q != NULL) {
        q_next = q->next;
        if (q->data == p->data || (p->next != NULL && q->data == p->next->data)) {
            q->next = NULL;
            if (dropped_last == NULL)
                *dropped = q;
            else
                dropped_last->next = q;
            dropped_last = q;
        } else {
            q->next = p->next;
            p->next = q;
            last = q;
            p = q->next;
            filled++;
        }
        q = q_next;
    }
    if (q != NULL) {
        if (last != NULL)
            last->next = q;
        else
            *p_ref = q;
    }
    return filled;
}

void print_list(struct node *p)
{
    while (p != NULL) {
        printf("%d ", p->data);
        p = p->next;
    }
    printf(".\n");
}

/* First argument: how many of the others belong to the first list; the rest is the second. */
int main(int argc, char **argv)
{
    struct node *p = NULL;
    struct node *q = NULL;
    struct node *dropped;
    int n, filled;

    if (argc == 1) {
        push(&p, 3);
        push(&p, 2);
        push(&p, 1);
        push(&q, 5);
        push(&q, 4);
    } else {
        n = atoi(argv[1]);
        for (int i = argc - 1; i >= 2; i--)
            push(i - 2 < n ? &p : &q, atoi(argv[i]));
    }
    print_list(p);
    print_list(q);
    filled = merge_alternate(&p, q, &dropped);
    print_list(p);
    print_list(dropped);
    printf("%d filled\n", filled);
    return 0;
}
