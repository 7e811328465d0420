// List work for the speed measurements: build, reverse and sum a list.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *head;

void push(int data) {
    struct node *fresh = malloc(sizeof(struct node));
    fresh->data = data;
    fresh->next = head;
    head = fresh;
}

void reverse(void) {
    struct node *previous = NULL, *current = head, *next;
    while (current != NULL) {
        next = current->next;
        current->next = previous;
        previous = current;
        current = next;
    }
    head = previous;
}

long sum(void) {
    long total = 0;
    struct node *walk;
    for (walk = head; walk != NULL; walk = walk->next)
        total += walk->data;
    return total;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 100;
    int i;
    long total = 0;
    for (i = 0; i < 1000; i++)
        push(i);
    for (i = 0; i < rounds; i++) {
        reverse();
        total += sum();
    }
    printf("%ld\n", total);
    return 0;
}
