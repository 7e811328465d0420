// Delete the node at a position of a list, counted from the front (1, 2, ...) or from the back (-1, -2, ...).
//~ ID: L7
//~ FUNCTION: delete_at, append
//~ INPUT: 2 3 1 4 1 5
//~ INPUT: 1 6 7 8
//~ INPUT: -2 3 1 4 9
//~ INPUT: 3 5 6 8
//~ INPUT: -3 5 6 7
//~ INPUT: 6 1 2
//~ INPUT: -4 1 2 3
//~ INPUT: 0 1 2
//~ INPUT: 1
//~ UNSEEN: 6 9 8 7 6 5 4
//~ UNSEEN: -1 9 8 7 6 5 4
//~ UNSEEN: 1 5
//~ UNSEEN: -1 5
//~ UNSEEN: 3 1 2
//~ UNSEEN: -1
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *head;
struct node *tail;

void append(int value)
{
    struct node **link = &head;

    while (*link != NULL)
        link = &(*link)->next;
    *link = malloc(sizeof(struct node));
    (*link)->value = value;
    (*link)->next = NULL;
    tail = *link;
}

/* Returns 1 if there was such a node and 0 otherwise. */
int delete_at(int position)
{
    struct node *victim;
    struct node *before = NULL;
    struct node *runner;

    if (head == NULL || position == 0)
        return 0;
    victim = head;
    if (position > 0) {
        while (victim != NULL && position > 1) {
            before = victim;
            victim = victim->next;
            position--;
        }
        if (victim == NULL)
            return 0;
    } else {
        runner = head;
        while (runner != NULL && position < 0) {
            runner = runner->next;
            position++;
        }
        if (runner == NULL && position < 0)
            return 0;
        while (runner != NULL) {
            runner = runner->next;
            before = victim;
            victim = victim->next;
        }
    }
    if (before == NULL)
        head = victim->next;
    else
        before->next = victim->next;
    if (victim == tail)
        tail = before;
    free(victim);
    return 1;
}

void print_list(void)
{
    struct node *p = head;

    printf("tail %d, head", tail == NULL ? 0 : tail->value);
    while (p != NULL) {
        printf(" -> %d", p->value);
        p = p->next;
    }
    printf("\n");
}

/* First argument: the position, the others: the list. */
int main(int argc, char **argv)
{
    int position = 3;
    int done;

    if (argc == 1) {
        append(11);
        append(12);
        append(13);
        append(14);
    } else {
        position = atoi(argv[1]);
    }
    for (int i = 2; i < argc; i++)
        append(atoi(argv[i]));
    print_list();
    done = delete_at(position);
    print_list();
    printf("%s\n", done ? "deleted" : "no such node");
    return 0;
}
