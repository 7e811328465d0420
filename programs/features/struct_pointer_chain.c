// Nested struct pointers: a->b->c, a->b.c, (*a).b, and assignment through them.
#include <stdio.h>
#include <stdlib.h>

struct leaf {
    int value;
};

struct branch {
    struct leaf *leaf;
    struct leaf own;
};

struct tree {
    struct branch *branch;
};

int main(void)
{
    struct tree *t = malloc(sizeof *t);

    t->branch = malloc(sizeof *t->branch);
    t->branch->leaf = malloc(sizeof(struct leaf));
    t->branch->leaf->value = 5;
    t->branch->own.value = 6;
    (*(*t).branch).leaf->value += t->branch->own.value;
    printf("%d %d\n", t->branch->leaf->value, (&t->branch->own)->value);
    *t->branch->leaf = t->branch->own;
    printf("%d\n", (*t->branch->leaf).value);
    free(t->branch->leaf);
    t->branch->leaf = &t->branch->own;
    t->branch->leaf->value = 42;
    printf("%d\n", t->branch->own.value);
    free(t->branch);
    free(t);
    return 0;
}
