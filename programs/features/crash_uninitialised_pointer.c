// The next pointer of a malloced node was never set.
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void)
{
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    int n = 0;

    a->value = 1;
    a->next = b;
    b->value = 2;
    for (struct node *p = a; p != NULL; p = p->next) { //~ FAULT: uninitialised
        printf("%d\n", p->value);
        if (++n == 3)
            break;
    }
    return 0;
}
