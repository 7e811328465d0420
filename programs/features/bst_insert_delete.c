// Binary search tree: insert, search, height, delete of a leaf and of nodes with one and two children.
#include <stdio.h>
#include <stdlib.h>

typedef struct t { int k; struct t *l, *r; } t;

t *insert(t *x, int k)
{
    if (!x) {
        x = calloc(1, sizeof *x);
        x->k = k;
    } else if (k < x->k) {
        x->l = insert(x->l, k);
    } else if (k > x->k) {
        x->r = insert(x->r, k);
    }
    return x;
}

t *delete(t *x, int k)
{
    if (!x)
        return x;
    if (k < x->k) {
        x->l = delete(x->l, k);
    } else if (k > x->k) {
        x->r = delete(x->r, k);
    } else if (x->l && x->r) {
        t *m = x->r;
        while (m->l)
            m = m->l;
        x->k = m->k;
        x->r = delete(x->r, m->k);
    } else {
        t *c = x->l ? x->l : x->r;
        free(x);
        return c;
    }
    return x;
}

void show(t *x) { if (x) { printf("("); show(x->l); printf("%d", x->k); show(x->r); printf(")"); } }
int height(t *x) { int a, b; return !x ? 0 : (a = height(x->l), b = height(x->r), 1 + (a > b ? a : b)); }

int main(void)
{
    int keys[] = { 50, 30, 70, 20, 40, 60, 80, 30 }, gone[] = { 20, 30, 50, 99 };
    t *root = NULL;

    for (int i = 0; i < 8; i++)
        root = insert(root, keys[i]);
    show(root);
    printf(" %d\n", height(root));
    for (int i = 0; i < 4; i++) {
        root = delete(root, gone[i]);
        show(root);
        printf(" %d\n", height(root));
    }
    return 0;
}
