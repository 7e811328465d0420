// Reverses a list with two faults that cancel each other out (Figure 15 of the
// Wolverine paper): the links are written back as they were read.
//~ FUNCTION: reverse
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
    struct node *prev;
};

struct node *head;

void push(int data) {
    struct node *fresh = (struct node *)malloc(sizeof(struct node));
    fresh->data = data;
    fresh->prev = NULL;
    fresh->next = head;
    if (head != NULL)
        head->prev = fresh;
    head = fresh;
}

void reverse(void) {
    struct node *current, *temp1 = NULL, *temp2 = NULL;
    current = head;
    while (current != NULL) {
        temp1 = current->prev;
        temp2 = current->next;
        current->prev = temp1; //~ FAULT: temp2
        current->next = temp2; //~ FAULT: temp1
        current = current->prev;
    }
    head = temp1->prev;
}

int main(void) {
    push(2); push(4); push(8); push(10);
    reverse();
    return 0;
}
