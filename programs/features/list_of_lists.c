// A list whose nodes hold other lists; a list with a pointer to its last link (struct node **tail).
#include <stdio.h>
#include <stdlib.h>

struct leaf { int v; struct leaf *next; };
struct row { char name; struct leaf *leaves, **tail; struct row *next; };

struct row *add_row(struct row *rows, char name)
{
    struct row *r = malloc(sizeof *r);

    r->name = name;
    r->leaves = NULL;
    r->tail = &r->leaves;
    r->next = rows;
    return r;
}

void add_leaf(struct row *r, int v)
{
    *r->tail = calloc(1, sizeof(struct leaf));
    (*r->tail)->v = v;
    r->tail = &(*r->tail)->next;
}

int main(void)
{
    struct row *rows = NULL;

    for (char c = 'a'; c < 'd'; c++) {
        rows = add_row(rows, c);
        for (int i = 0; i < c - 'a' + 1; i++)
            add_leaf(rows, c + i);
    }
    add_leaf(rows->next, 7);
    for (struct row *r = rows; r; r = r->next) {
        printf("%c:", r->name);
        for (struct leaf *l = r->leaves; l; l = l->next)
            printf(" %d", l->v);
        printf("\n");
    }
    return 0;
}
