// Null dereference after printing something.
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void)
{
    struct node *p = malloc(sizeof(struct node));

    p->value = 1;
    p->next = NULL;
    printf("before\n");
    p = p->next;
    printf("%d\n", p->value); //~ FAULT: null
    return 0;
}
