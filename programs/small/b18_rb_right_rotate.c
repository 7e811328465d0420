// Right rotate of a red-black tree whose leaves are null pointers.
//~ ID: B18
//~ FUNCTION: right_rotate
//~ INPUT: 5 5 7 2 1 3
//~ INPUT: 6 3 1 6 5
//~ INPUT: 4 6 4 2 3 1 8
//~ INPUT: 5 5 8
//~ UNSEEN: 3 3 2 1
//~ UNSEEN: 2 3 2 1
//~ UNSEEN: 8 2 1 8 5 4 6 9
//~ UNSEEN: 10 10
//~ UNSEEN: 1 2 3
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>

typedef struct rb_node {
    struct rb_node *parent;
    struct rb_node *left;
    struct rb_node *right;
    bool red;
    int key;
} rb_node;

/* Plain insertion; nodes on even levels are black, on odd levels red. */
rb_node *insert(rb_node *root, int key)
{
    rb_node *fresh = calloc(1, sizeof(rb_node));
    rb_node *p = root;

    fresh->key = key;
    if (root == NULL)
        return fresh;
    for (;;) {
        rb_node *below = key < p->key ? p->left : p->right;
        if (below == NULL)
            break;
        p = below;
    }
    fresh->parent = p;
    fresh->red = !p->red;
    if (key < p->key)
        p->left = fresh;
    else
        p->right = fresh;
    return root;
}

rb_node *right_rotate(rb_node *root, rb_node *y)
{
    rb_node *x = y->left;
    rb_node *above = y->parent;
    bool saved;

    if (x == NULL)
        return root;
    y->left = x->right;
    if (x->right != NULL)
        x->right->parent = y;
    x->parent = above;
    if (above == NULL)
        root = x;
    else if (y == above->right)
        above->right = x;
    else
        above->left = x;
    x->right = y;
    y->parent = x;
    saved = y->red;
    y->red = x->red;
    x->red = saved;
    return root;
}

/* Preorder: key, color, parent; a dot for an empty tree. */
void print_tree(rb_node *p)
{
    if (p == NULL) {
        printf(". ");
        return;
    }
    printf("%d%s", p->key, p->red ? "r" : "b");
    if (p->parent != NULL)
        printf("^%d ", p->parent->key);
    else
        printf("^- ");
    print_tree(p->left);
    print_tree(p->right);
}

/* First argument: the key of the node to rotate, the others: keys to insert. */
int main(int argc, char **argv)
{
    int defaults[] = { 18, 11, 19, 9, 14 };
    rb_node *root = NULL;
    rb_node *y;
    int key = 18;

    if (argc == 1)
        for (int i = 0; i < 5; i++)
            root = insert(root, defaults[i]);
    else
        key = atoi(argv[1]);
    for (int i = 2; i < argc; i++)
        root = insert(root, atoi(argv[i]));
    print_tree(root);
    printf("\n");
    y = root;
    while (y != NULL && y->key != key)
        y = key < y->key ? y->left : y->right;
    if (y != NULL)
        root = right_rotate(root, y);
    print_tree(root);
    printf("\n");
    return 0;
}
