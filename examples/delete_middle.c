// Deletes the middle of a list (the running example of the Wolverine paper,
// Figure 8): fast_ptr moves twice as fast as slow_ptr, so that slow_ptr is in
// the middle when fast_ptr is at the end. One assignment forgets a step.
//~ FUNCTION: delete_middle
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *head, *slow_ptr, *fast_ptr;

void push(int data) {
    struct node *fresh = (struct node *)malloc(sizeof(struct node));
    fresh->data = data;
    fresh->next = head;
    head = fresh;
}

void delete_middle(void) {
    struct node *temp, *prev = NULL;
    slow_ptr = head;
    fast_ptr = head;
    temp = fast_ptr->next;
    while (fast_ptr != NULL && temp != NULL) {
        fast_ptr = temp->next;
        if (fast_ptr != NULL) {
            temp = fast_ptr; //~ FAULT: fast_ptr->next
        }
        prev = slow_ptr;
        slow_ptr = slow_ptr->next;
    }
    temp = slow_ptr->next;
    prev->next = temp;
    free(slow_ptr);
}

int main(void) {
    struct node *walk;
    push(2); push(4); push(8);
    delete_middle();
    for (walk = head; walk != NULL; walk = walk->next)
        printf("%d ", walk->data);
    printf("\n");
    return 0;
}
