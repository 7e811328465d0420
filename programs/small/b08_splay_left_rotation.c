// Rotate a node of a splay tree to the left; nodes know their parents.
//~ ID: B8
//~ FUNCTION: rotate_left
//~ INPUT: 2 2 1 5 4 7
//~ INPUT: 3 6 3 8 5
//~ INPUT: 6 4 2 6 5 9 8
//~ INPUT: 5 5 3
//~ UNSEEN: 1 1 2 3
//~ UNSEEN: 2 1 2 3
//~ UNSEEN: 4 9 4 2 7 5 8
//~ UNSEEN: 10 10
//~ UNSEEN: 9 8 3
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

typedef struct tnode {
    int key;
    struct tnode *left, *right, *parent;
} tnode;

typedef struct tree {
    tnode *root;
} tree;

void insert(tree *t, int key)
{
    tnode *fresh = malloc(sizeof *fresh);
    tnode *above = NULL;
    tnode *p = t->root;

    fresh->key = key;
    fresh->left = fresh->right = NULL;
    while (p != NULL) {
        above = p;
        p = key < p->key ? p->left : p->right;
    }
    fresh->parent = above;
    if (above == NULL)
        t->root = fresh;
    else if (key < above->key)
        above->left = fresh;
    else
        above->right = fresh;
}

tnode *find(tree *t, int key)
{
    tnode *p = t->root;

    while (p != NULL && p->key != key)
        p = key < p->key ? p->left : p->right;
    return p;
}

void rotate_left(tree *t, tnode *x)
{
    tnode *y = x->right;

    if (y == NULL)
        return;
    x->right = y->left;
    if (y->left != NULL)
        y->left->parent = x;
    y->parent = x->parent;
    if (x->parent == NULL)
        t->root = y;
    else if (x == x->parent->left)
        x->parent->left = y;
    else
        x->parent->right = y;
    y->left = x;
    x->parent = y;
}

/* Preorder: key(parent), a dot for an empty tree. */
void print_tree(tnode *p)
{
    if (p == NULL) {
        printf(". ");
        return;
    }
    if (p->parent == NULL)
        printf("%d(-) ", p->key);
    else
        printf("%d(%d) ", p->key, p->parent->key);
    print_tree(p->left);
    print_tree(p->right);
}

/* First argument: the key of the node to rotate, the others: keys to insert. */
int main(int argc, char **argv)
{
    int defaults[] = { 10, 5, 20, 15, 30 };
    tree t = { NULL };
    tnode *x;
    int key = 10;

    if (argc == 1)
        for (int i = 0; i < 5; i++)
            insert(&t, defaults[i]);
    else
        key = atoi(argv[1]);
    for (int i = 2; i < argc; i++)
        insert(&t, atoi(argv[i]));
    print_tree(t.root);
    printf("\n");
    x = find(&t, key);
    if (x != NULL)
        rotate_left(&t, x);
    print_tree(t.root);
    printf("\n");
    return 0;
}
