// Remove the duplicates from an unsorted doubly linked list; the first occurrence of every value stays.
//~ ID: L19
//~ FUNCTION: remove_duplicates, append
//~ INPUT: 3 1 3 1 5
//~ INPUT: 4 4 4
//~ INPUT: 7
//~ INPUT: 2 6 2 8 6 9
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
    struct node *prev, *next;
};

struct node *head, *tail;

void append(int value)
{
    struct node *fresh = malloc(sizeof(struct node));

    fresh->value = value;
    fresh->prev = tail;
    fresh->next = NULL;
    if (tail != NULL)
        tail->next = fresh;
    else
        head = fresh;
    tail = fresh;
}

/* The removed nodes become a doubly linked list too, in the order in which they are found. */
int remove_duplicates(struct node **removed)
{
    struct node *keep;
    struct node *probe;
    struct node *following;
    struct node *removed_last = NULL;
    int count = 0;

    *removed = NULL;
    if (head == NULL || head == tail)
        return 0;
    for (keep = head; keep != NULL; keep = keep->next) {
        probe = keep->next;
        while (probe != NULL) {
            following = probe->next;
            if (probe->value == keep->value) {
                probe->prev->next = following;
                if (following != NULL)
                    following->prev = probe->prev;
                else
                    tail = probe->prev;
                probe->next = NULL;
                probe->prev = removed_last;
                if (removed_last == NULL)
                    *removed = probe;
                else
                    removed_last->next = probe;
                removed_last = probe;
                count++;
            }
            probe = following;
        }
    }
    return count;
}

void print_list(struct node *p)
{
    struct node *last = NULL;

    printf("forward:");
    while (p != NULL) {
        printf(" %d", p->value);
        last = p;
        p = p->next;
    }
    printf("  backward:");
    while (last != NULL) {
        printf(" %d", last->value);
        last = last->prev;
    }
    printf("\n");
}

/* The arguments are the list; none means an empty list. */
int main(int argc, char **argv)
{
    struct node *removed;
    int count;

    for (int i = 1; i < argc; i++)
        append(atoi(argv[i]));
    print_list(head);
    count = remove_duplicates(&removed);
    print_list(head);
    if (tail != NULL)
        printf("last %d\n", tail->value);
    printf("%d removed ", count);
    print_list(removed);
    return 0;
}
