// Fills the nodes of a list with numbers that a library function makes: what
// `rand` does is not modelled, so it is run for real and taken as it is
// (Figure 14 of the Wolverine paper). The fault is in a link.
//~ FUNCTION: fill
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *head, *last;

void push(int data) {
    struct node *fresh = (struct node *)malloc(sizeof(struct node));
    fresh->data = data;
    fresh->next = head;
    head = fresh;
}

int dice(void) {
    static int seed = 7;
    seed = seed * 1103515245 + 12345;
    return (seed / 65536) % 6;
}

void fill(void) {
    struct node *current = NULL;
    int i = 0;
    current = head;
    while (current != NULL) {
        i = dice();
        current->data = i;
        last = head; //~ FAULT: current
        current = current->next;
    }
}

int main(void) {
    push(0);
    push(0);
    push(0);
    fill();
    last->next = head;
    printf("%d %d %d\n", head->data, head->next->data, last->data);
    return 0;
}
