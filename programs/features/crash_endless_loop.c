// Endless loop: a list that was made circular by mistake is walked to its end.
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void)
{
    struct node c = { 3, NULL }, b = { 2, &c }, a = { 1, &b };
    int length = 0;

    c.next = &a;
    printf("counting\n");
    for (struct node *p = &a; p != NULL; p = p->next) //~ FAULT: endless-loop
        length = (length + 1) % 1000;
    printf("%d\n", length);
    return 0;
}
