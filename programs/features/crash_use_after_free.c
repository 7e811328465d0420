// Use after free: the list is walked while its nodes are freed.
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void)
{
    struct node *head = NULL, *p;

    for (int i = 0; i < 3; i++) {
        p = malloc(sizeof *p);
        p->value = i;
        p->next = head;
        head = p;
    }
    printf("freeing\n");
    p = head;
    while (p != NULL) {
        free(p);
        p = p->next; //~ FAULT: dangling
    }
    return 0;
}
