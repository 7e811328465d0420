// The buggy list reversal of the Wolverine paper (Figure 1), as a student
// would write it: the loop is never entered, temp2 is a copy of the line
// above, and head is never moved to the new front.
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
    while (temp1 != NULL) { //~ FAULT: current != NULL
        temp1 = current->prev;
        temp2 = current->prev; //~ FAULT: current->next
        current->prev = temp2;
        current->next = temp1;
        current = current->prev;
    }
    //~ FAULT: head = temp1->prev is missing
}

void print(void) {
    struct node *walk;
    for (walk = head; walk != NULL; walk = walk->next)
        printf("%d ", walk->data);
    printf("\n");
}

int main(void) {
    push(2);
    push(4);
    push(8);
    push(10);
    reverse();
    print();
    return 0;
}
