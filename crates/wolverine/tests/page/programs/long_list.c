// A list of as many nodes as the first argument says (100 by default).
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *head;

void build(int count) {
    for (int i = count; i > 0; i--) {
        struct node *fresh = malloc(sizeof(struct node));
        fresh->data = i;
        fresh->next = head;
        head = fresh;
    }
}

int main(int argc, char **argv) {
    build(argc > 1 ? atoi(argv[1]) : 100);
    struct node *walk = head;
    int sum = 0;
    while (walk != NULL) {
        sum = sum + walk->data;
        walk = walk->next;
    }
    printf("%d\n", sum);
    return 0;
}
