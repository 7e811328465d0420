// Delete the first node that holds a key from a singly linked list.
//~ ID: B3
//~ FUNCTION: delete_key
//~ INPUT: 4 3 1 4 1 5
//~ INPUT: 3 3 1 4
//~ INPUT: 5 2 7 5
//~ INPUT: 9 1 2 3
//~ INPUT: 6
//~ UNSEEN: 8 8
//~ UNSEEN: 1 6 1 2 1 3
//~ UNSEEN: 0 9 8 7 6 5 4 0
//~ UNSEEN: 2 2 2
//~ UNSEEN: -4 4
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *append(struct node *head, int value)
{
    struct node *fresh = malloc(sizeof *fresh);
    struct node *p = head;

    fresh->value = value;
    fresh->next = NULL;
    if (head == NULL)
        return fresh;
    while (p->next != NULL)
        p = p->next;
    p->next = fresh;
    return head;
}

struct node *delete_key(struct node *head, int key)
{
    struct node *current = head;
    struct node *previous = NULL;

    while (current != NULL && current->value != key) {
        previous = current;
        current = current->next;
    }
    if (current == NULL)
        return head;
    if (previous == NULL)
        head = current->next;
    else
        previous->next = current->next;
    free(current);
    return head;
}

void print_list(struct node *head)
{
    while (head != NULL) {
        printf("%d -> ", head->value);
        head = head->next;
    }
    printf("NULL\n");
}

/* First argument: the key, the others: the list. */
int main(int argc, char **argv)
{
    struct node *head = NULL;
    int key = 20;

    if (argc == 1) {
        head = append(head, 10);
        head = append(head, 20);
        head = append(head, 30);
    } else {
        key = atoi(argv[1]);
        for (int i = 2; i < argc; i++)
            head = append(head, atoi(argv[i]));
    }
    print_list(head);
    head = delete_key(head, key);
    print_list(head);
    return 0;
}
