// Delete the first node that holds a key from a singly linked list and free it; the first node is returned.
//~ FUNCTION: delete_key
//~ INPUT: 4 3 1 4 1 5
//~ INPUT: 3 3 1 4
//~ INPUT: 5 2 7 5
//~ INPUT: 9 1 2 3
//~ INPUT: 1 6 1 2 1 3
//~ INPUT: 6
//~ UNSEEN: 8 8
//~ UNSEEN: 7 4
//~ UNSEEN: 2 2 2
//~ UNSEEN: 2 1 2
//~ UNSEEN: 3 5 5
//~ UNSEEN: 0 9 8 7 6 5 4 0
//~ UNSEEN: 7 9 8 7 6 5 4 0
//~ UNSEEN: -4 4 -4 -4 1
//~ UNSEEN: 1 1 1 2 1
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct node {
    int info;
    struct node *link;
};

struct node *add_front(struct node *head, int info)
{
    struct node *p = malloc(sizeof *p);

    p->info = info;
    p->link = head;
    return p;
}

struct node *delete_key(struct node *head, int key)
{
    struct node *p;
    struct node *prev = NULL;

    for (p = head; p != NULL; p = p->link) {
        if (p->info == key) {
            if (p == head)
                head = head->link;
            else
                prev->link = p->link;
            free(p);
        }
        prev = p;
    }
    return head;
}

void print_list(struct node *head)
{
    while (head != NULL) {
        printf("%d -> ", head->info);
        head = head->link;
    }
    printf("NULL\n");
}

/* First argument: the key (0 if there is none), the others: the list. */
int main(int argc, char **argv)
{
    struct node *head = NULL;
    int key = 0;
    int i;

    if (argc > 1)
        key = atoi(argv[1]);
    for (i = argc - 1; i >= 2; i--)
        head = add_front(head, atoi(argv[i]));
    head = delete_key(head, key);
    print_list(head);
    return 0;
}
