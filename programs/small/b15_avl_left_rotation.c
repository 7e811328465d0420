// Left rotation of an AVL tree, with the heights brought up to date.
//~ ID: B15
//~ FUNCTION: left_rotate
//~ INPUT: 3 3 1 6 5 9
//~ INPUT: 4 4 7 9 12
//~ INPUT: 3 7 3 4
//~ INPUT: 4 4 2
//~ INPUT: 2 6 2 1 4 8
//~ INPUT: 5 5 2 3 7
//~ INPUT: 4 4 2 9 1 6 12 10 15
//~ UNSEEN: 1 1 2 3 4 5
//~ UNSEEN: 6 6
//~ UNSEEN: 10 20 10 5 15 30 12 17
//~ UNSEEN: 5 5 4 3 9 2
//~ UNSEEN: 7 1 2
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct avl {
    int key;
    struct avl *left;
    struct avl *right;
    int height;
};

struct avl *root;

int height(struct avl *t)
{
    if (t == NULL)
        return 0;
    return t->height;
}

int max(int a, int b)
{
    return (a > b) ? a : b;
}

void update(struct avl *t)
{
    t->height = 1 + max(height(t->left), height(t->right));
}

/* Plain insertion, without rebalancing: the tree may lean to one side. */
struct avl *insert(struct avl *t, int key)
{
    if (t == NULL) {
        t = (struct avl *) calloc(1, sizeof(struct avl));
        t->key = key;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else {
        t->right = insert(t->right, key);
    }
    update(t);
    return t;
}

struct avl *left_rotate(struct avl *x)
{
    struct avl *y;
    struct avl *between;

    y = x->right;
    if (y != NULL) {
        between = y->left;
        y->left = x;
        x->right = between;
        x->height = 1 + max(height(x->left), height(x->right));
        y->height = 1 + max(height(y->left), height(y->right));
        x = y;
    }
    return x;
}

/* Rotate the subtree whose root holds the key. */
struct avl *rotate_at(struct avl *t, int key)
{
    if (t == NULL)
        return NULL;
    if (key == t->key)
        return left_rotate(t);
    if (key < t->key)
        t->left = rotate_at(t->left, key);
    else
        t->right = rotate_at(t->right, key);
    update(t);
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

void free_tree(struct avl *t)
{
    if (t == NULL)
        return;
    free_tree(t->left);
    free_tree(t->right);
    free(t);
}

/* First argument: the key of the node to rotate, the others: keys to insert. */
int main(int argc, char **argv)
{
    int key = 10;

    if (argc == 1) {
        root = insert(root, 10);
        root = insert(root, 20);
        root = insert(root, 30);
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
    free_tree(root);
    return 0;
}
