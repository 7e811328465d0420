// Rotate a node of a splay tree to the right, above its parent.
//~ ID: B20
//~ FUNCTION: rotate_right
//~ INPUT: 2 5 7 2 1 3
//~ INPUT: 5 3 1 6 5
//~ INPUT: 2 6 4 2 3 1 8
//~ INPUT: 5 5 8
//~ INPUT: 8 5 8
//~ UNSEEN: 2 3 2 1
//~ UNSEEN: 1 3 2 1
//~ UNSEEN: 5 2 1 8 5 4 6 9
//~ UNSEEN: 10 10
//~ UNSEEN: 4 9 6 8 4 5
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct splay {
    int key;
    struct splay *left;
    struct splay *right;
    struct splay *up;
};

struct splay *root = NULL;

void insert(int key)
{
    struct splay *fresh = malloc(sizeof(struct splay));
    struct splay *p = root;

    fresh->key = key;
    fresh->left = NULL;
    fresh->right = NULL;
    fresh->up = NULL;
    if (root == NULL) {
        root = fresh;
        return;
    }
    while (fresh->up == NULL) {
        if (key < p->key) {
            if (p->left == NULL) {
                p->left = fresh;
                fresh->up = p;
            }
            p = p->left;
        } else {
            if (p->right == NULL) {
                p->right = fresh;
                fresh->up = p;
            }
            p = p->right;
        }
    }
}

/* Does nothing unless x is a left child. */
void rotate_right(struct splay *x)
{
    struct splay *parent = x->up;
    struct splay *grandparent;

    if (parent == NULL || parent->left != x)
        return;
    grandparent = parent->up;
    parent->left = x->right;
    if (x->right != NULL)
        x->right->up = parent;
    x->right = parent;
    parent->up = x;
    x->up = grandparent;
    if (grandparent == NULL)
        root = x;
    else if (grandparent->left == parent)
        grandparent->left = x;
    else
        grandparent->right = x;
}

/* Preorder: key(parent), a dot for an empty tree. */
void print_tree(struct splay *p)
{
    if (p == NULL) {
        printf(". ");
        return;
    }
    if (p->up == NULL)
        printf("%d(-) ", p->key);
    else
        printf("%d(%d) ", p->key, p->up->key);
    print_tree(p->left);
    print_tree(p->right);
}

/* First argument: the key of the node to lift, the others: keys to insert. */
int main(int argc, char **argv)
{
    struct splay *x;
    int key = 5;

    if (argc == 1) {
        insert(10);
        insert(5);
        insert(20);
        insert(2);
        insert(7);
    } else {
        key = atoi(argv[1]);
    }
    for (int i = 2; i < argc; i++)
        insert(atoi(argv[i]));
    print_tree(root);
    printf("\n");
    x = root;
    while (x != NULL && x->key != key)
        x = key < x->key ? x->left : x->right;
    if (x != NULL)
        rotate_right(x);
    print_tree(root);
    printf("\n");
    return 0;
}
