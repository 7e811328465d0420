// Write through a null pointer in a function, deep in a list.
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

void set_third(struct node *p, int value)
{
    p->next->next->value = value; //~ FAULT: null
}

int main(void)
{
    struct node b = { 2, NULL }, a = { 1, &b };

    printf("%d %d\n", a.value, a.next->value);
    set_third(&a, 3);
    printf("never\n");
    return 0;
}
