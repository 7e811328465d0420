// Delete every node that holds a value from a singly linked list and count the deleted nodes.
//~ ID: L11
//~ FUNCTION: delete_value, append
//~ INPUT: 4 3 4 1 4 4 5
//~ INPUT: 2 2 2 6 8
//~ INPUT: 7 7
//~ INPUT: 9 1 2 3
//~ INPUT: 5
//~ INPUT: 6 1 6
//~ UNSEEN: 4 9 8 7 6 5 4
//~ UNSEEN: 1 1 1 1
//~ UNSEEN: 0 0 5 0 5 0
//~ UNSEEN: -2 2 -2 2
//~ UNSEEN: 3 4
//~ UNSEEN: 8 1 8 8 8 2 8 3
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

void append(struct node **head, struct node **tail, int value)
{
    struct node *fresh = malloc(sizeof(struct node));

    fresh->value = value;
    fresh->next = NULL;
    if (*tail != NULL)
        (*tail)->next = fresh;
    else
        *head = fresh;
    *tail = fresh;
}

/* The deleted nodes move to a list of their own, the last one deleted in front. */
int delete_value(struct node **head, struct node **tail, int value, struct node **deleted)
{
    struct node *current;
    struct node *victim;
    int count = 0;

    *deleted = NULL;
    /* the nodes in front */
    while (*head != NULL && (*head)->value == value) {
        victim = *head;
        *head = victim->next;
        victim->next = *deleted;
        *deleted = victim;
        count++;
    }
    if (*head == NULL) {
        *tail = NULL;
        return count;
    }
    /* the nodes behind a node that stays */
    current = *head;
    while (current->next != NULL) {
        victim = current->next;
        if (victim->value == value) {
            current->next = victim->next;
            if (victim == *tail)
                *tail = current;
            victim->next = *deleted;
            *deleted = victim;
            count++;
        } else {
            current = victim;
        }
    }
    return count;
}

void print_list(struct node *head, struct node *tail)
{
    struct node *p = head;

    while (p != NULL) {
        printf("%d ", p->value);
        p = p->next;
    }
    if (tail != NULL)
        printf("(last %d)", tail->value);
    printf("\n");
}

/* First argument: the value to delete, the others: the list. */
int main(int argc, char **argv)
{
    struct node *head = NULL;
    struct node *tail = NULL;
    int value = 1;
    struct node *deleted;
    int count;

    if (argc == 1) {
        append(&head, &tail, 1);
        append(&head, &tail, 2);
        append(&head, &tail, 1);
    } else {
        value = atoi(argv[1]);
    }
    for (int i = 2; i < argc; i++)
        append(&head, &tail, atoi(argv[i]));
    print_list(head, tail);
    count = delete_value(&head, &tail, value, &deleted);
    print_list(head, tail);
    printf("%d deleted: ", count);
    print_list(deleted, NULL);
    return 0;
}
