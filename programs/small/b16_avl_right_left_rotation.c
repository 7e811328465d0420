// Right-left double rotation of an AVL tree: first right below, then left above.
//~ ID: B16
//~ FUNCTION: right_left_rotate
//~ INPUT: 2 1 8 5 9 4
//~ INPUT: 1 5 3
//~ INPUT: 1 3 4
//~ INPUT: 6 2
//~ INPUT:
//~ UNSEEN: 2 1 8 5 9 4 6
//~ UNSEEN: 10 5 20 15 25 12 17
//~ UNSEEN: 7
//~ UNSEEN: 1 9 7 8
//~ UNSEEN: 3 1 6 5 4
#include <stdio.h>
#include <stdlib.h>

struct avl {
    int key;
    struct avl *left;
    struct avl *right;
};

struct avl *new_node(int key)
{
    struct avl *t = malloc(sizeof(struct avl));

    t->key = key;
    t->left = NULL;
    t->right = NULL;
    return t;
}

struct avl *insert(struct avl *t, int key)
{
    if (t == NULL)
        return new_node(key);
    if (key < t->key)
        t->left = insert(t->left, key);
    else
        t->right = insert(t->right, key);
    return t;
}

void right_left_rotate(struct avl **link)
{
    struct avl *x, *y, *z;

    x = *link;
    if (x == NULL)
        return;
    z = x->right;
    if (z == NULL || z->left == NULL)
        return;
    y = z->left;
    z->left = y->right;
    y->right = z;
    x->right = y->left;
    y->left = x;
    *link = y;
}

void print_tree(const struct avl *t)
{
    if (t != NULL) {
        printf("%d ", t->key);
        print_tree(t->left);
        print_tree(t->right);
    } else {
        printf(". ");
    }
}

/* The arguments are the keys to insert; none means an empty tree. */
int main(int argc, char **argv)
{
    struct avl *root = NULL;
    int i;

    for (i = 1; i < argc; i++)
        root = insert(root, atoi(argv[i]));
    print_tree(root);
    printf("\n");
    right_left_rotate(&root);
    print_tree(root);
    printf("\n");
    return 0;
}
