// A leak: the first node is lost, the program ends normally.
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

struct node *make(int value)
{
    struct node *n = malloc(sizeof *n); //~ FAULT: leak

    n->value = value;
    n->next = NULL;
    return n;
}

int main(void)
{
    struct node *p = make(1);

    p = make(2);
    printf("%d\n", p->value);
    free(p);
    return 0;
}
