// Right rotation of an AVL tree, with the heights brought up to date.
//~ ID: B13
//~ FUNCTION: right_rotate
//~ INPUT: 8 8 5 9 3 6
//~ INPUT: 3 7 3 2
//~ INPUT: 4 4 6
//~ INPUT: 6 2 1 6 5 4 7
//~ INPUT: 3 3 2 1 4 5
//~ INPUT: 8 8 4 5
//~ INPUT: 5 5 4 3 2
//~ UNSEEN: 9 9 8 7 6 5
//~ UNSEEN: 1 1
//~ UNSEEN: 20 10 5 20 15 30 12 17
//~ UNSEEN: 5 5 4 8 3 9
//~ UNSEEN: 2 1
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct avl {
    int key;
    int height;
    struct avl *left;
    struct avl *right;
};

int height(struct avl *t)
{
    return t == NULL ? 0 : t->height;
}

int max(int a, int b)
{
    return a > b ? a : b;
}

/* Plain insertion, without rebalancing: the tree may lean to one side. */
struct avl *insert(struct avl *t, int key)
{
    if (t == NULL) {
        t = malloc(sizeof(struct avl));
        t->key = key;
        t->left = t->right = NULL;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else {
        t->right = insert(t->right, key);
    }
    t->height = 1 + max(height(t->left), height(t->right));
    return t;
}

struct avl *right_rotate(struct avl *y)
{
    struct avl *x = y->left;
    struct avl *middle;

    if (x == NULL)
        return y;
    middle = x->right;
    x->right = y;
    y->left = middle;
    y->height = max(height(y->left), height(y->right)) + 1;
    x->height = max(height(x->left), height(x->right)) + 1;
    return x;
}

/* Rotate the subtree whose root holds the key. */
struct avl *rotate_at(struct avl *t, int key)
{
    if (t == NULL)
        return NULL;
    if (key == t->key)
        return right_rotate(t);
    if (key < t->key)
        t->left = rotate_at(t->left, key);
    else
        t->right = rotate_at(t->right, key);
    t->height = 1 + max(height(t->left), height(t->right));
    return t;
}

/* Preorder: key/height, a dot for an empty tree. */
void print_tree(struct avl *t)
{
    if (t == NULL) {
        printf(". ");
        return;
    }
    printf("%d/%d ", t->key, t->height);
    print_tree(t->left);
    print_tree(t->right);
}

/* First argument: the key of the node to rotate, the others: keys to insert. */
int main(int argc, char **argv)
{
    struct avl *root = NULL;
    int key = 30;

    if (argc == 1) {
        root = insert(root, 30);
        root = insert(root, 20);
        root = insert(root, 10);
    } else {
        key = atoi(argv[1]);
    }
    for (int i = 2; i < argc; i++)
        root = insert(root, atoi(argv[i]));
    print_tree(root);
    printf("\n");
    root = rotate_at(root, key);
    print_tree(root);
    printf("\n");
    return 0;
}
