// Deletes a key from a list, but forgets that the key may not be there.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *head;

void push(int data) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->data = data;
    fresh->next = head;
    head = fresh;
}

void delete(int key) {
    struct node *current = head, *previous = NULL;
    while (current->data != key) { //~ FAULT: null
        previous = current;
        current = current->next;
    }
    if (previous == NULL)
        head = current->next;
    else
        previous->next = current->next;
    free(current);
}

int main(void) {
    push(1);
    push(2);
    push(3);
    delete(2);
    delete(7);
    printf("%d\n", head->data);
    return 0;
}
