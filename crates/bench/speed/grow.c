// Builds a list of as many nodes as its argument says, then walks along it:
// something to step through with a heap of a known size.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *build(int count) {
    struct node *head = NULL;
    int i;
    for (i = 0; i < count; i++) {
        struct node *fresh = malloc(sizeof(struct node));
        fresh->data = i;
        fresh->next = head;
        head = fresh;
    }
    return head;
}

int walk(struct node *head) {
    int total = 0;
    while (head != NULL) {
        total += head->data;
        head = head->next;
    }
    return total;
}

int main(int argc, char **argv) {
    struct node *head = build(argc > 1 ? atoi(argv[1]) : 100);
    int i, total = 0;
    for (i = 0; i < 1000; i++)
        total += walk(head) % 7;
    printf("%d\n", total);
    return 0;
}
