// Reverses a list and numbers its nodes, with three faults (after the example
// for specification slicing of the first Wolverine paper): two of them are
// about the links, one is about the numbers, and each can be shown without
// the other.
//~ FUNCTION: reverse
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *head;

void push(int data) {
    struct node *fresh = (struct node *)malloc(sizeof(struct node));
    fresh->data = data;
    fresh->next = head;
    head = fresh;
}

void reverse(void) {
    int i = 1, j = 10;
    struct node *prev = NULL, *current, *nt = NULL;
    current = head;
    while (current != NULL) {
        nt = current->next;
        current->next = prev;
        prev = current;
        current->data = j; //~ FAULT: i
        i = i + 1;
        j = j + 10;
        current = prev; //~ FAULT: nt
    }
    //~ FAULT: head = prev is missing
}

int main(void) {
    struct node *walk;
    push(2);
    push(4);
    push(8);
    reverse();
    for (walk = head; walk != NULL; walk = walk->next)
        printf("%d ", walk->data);
    printf("\n");
    return 0;
}
