// Delete the n-th node that holds a key from a doubly linked list.
//~ ID: L17
//~ FUNCTION: delete_occurrence, append
//~ INPUT: 4 2 3 4 1 4 5
//~ INPUT: 3 1 3 1 4
//~ INPUT: 6 1 2 8 6
//~ INPUT: 7 1 7
//~ INPUT: 5 2 5 1
//~ INPUT: 5 0 5 1
//~ INPUT: 5 -2 5 1 5 5
//~ INPUT: 6 -1 5 1
//~ INPUT: 8 1
//~ UNSEEN: 4 1 9 8 7 6 5 4
//~ UNSEEN: 1 3 1 1 1 1
//~ UNSEEN: 2 2 2 2
//~ UNSEEN: 9 1 1 2 3
//~ UNSEEN: 6 -1 6
//~ UNSEEN: 2 -2 2 7 2 8
//~ UNSEEN: 5 1 1 2 3 4 5 6 7
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *prev;
    struct node *next;
};

struct node *head;
struct node *tail;

void append(int key)
{
    struct node *fresh = calloc(1, sizeof(struct node));

    fresh->key = key;
    if (head == NULL) {
        head = fresh;
    } else {
        fresh->prev = tail;
        tail->next = fresh;
    }
    tail = fresh;
}

/* A negative n counts the occurrences from the back. */
int delete_occurrence(int key, int n)
{
    struct node *p;
    struct node *before;
    struct node *after;
    int found = 0;

    if (head == NULL || n == 0)
        return 0;
    if (n > 0) {
        p = head;
        while (p != NULL) {
            if (p->key == key)
                found++;
            if (found == n)
                break;
            p = p->next;
        }
    } else {
        p = tail;
        while (p != NULL) {
            if (p->key == key)
                found--;
            if (found == n)
                break;
            p = p->prev;
        }
    }
    if (p == NULL)
        return 0;
    before = p->prev;
    after = p->next;
    if (before != NULL)
        before->next = after;
    else
        head = after;
    if (after != NULL)
        after->prev = before;
    else
        tail = before;
    free(p);
    return 1;
}

void print_list(void)
{
    struct node *p;

    printf("forward:");
    for (p = head; p != NULL; p = p->next)
        printf(" %d", p->key);
    printf("  backward:");
    for (p = tail; p != NULL; p = p->prev)
        printf(" %d", p->key);
    printf("\n");
}

/* Arguments: key, which occurrence, then the list. */
int main(int argc, char **argv)
{
    int key = 2, n = 1, done;

    if (argc < 3) {
        append(1);
        append(2);
        append(3);
    } else {
        key = atoi(argv[1]);
        n = atoi(argv[2]);
    }
    for (int i = 3; i < argc; i++)
        append(atoi(argv[i]));
    print_list();
    done = delete_occurrence(key, n);
    print_list();
    printf("%d deleted\n", done);
    return 0;
}
