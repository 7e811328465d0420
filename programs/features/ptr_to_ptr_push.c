// Pointer to pointer: push(&head, 3) changes the head of the caller.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

void push(struct node **head, int value)
{
    struct node *n = malloc(sizeof(struct node));

    n->value = value;
    n->next = *head;
    *head = n;
}

void pop(struct node **head)
{
    struct node *old = *head;

    *head = (*head)->next;
    free(old);
}

int main(void)
{
    struct node *head = NULL;
    struct node **ref = &head;

    push(&head, 3);
    push(ref, 5);
    push(&*ref, 7);
    printf("%d %d %d\n", head->value, (*ref)->next->value, head->next->next->value);
    pop(&head);
    printf("%d %d\n", (**ref).value, head == *ref);
    pop(&head->next);
    printf("%d\n", head->next == NULL);
    pop(ref);
    printf("%d\n", head == NULL);
    return 0;
}
