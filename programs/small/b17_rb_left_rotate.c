// Left rotate of a red-black tree with a sentinel for the leaves.
//~ ID: B17
//~ FUNCTION: left_rotate
//~ INPUT: 2 2 1 5 4 7
//~ INPUT: 3 6 3 8 5
//~ INPUT: 6 4 2 6 5 9 8
//~ INPUT: 5 5 3
//~ UNSEEN: 1 1 2 3
//~ UNSEEN: 2 1 2 3
//~ UNSEEN: 4 9 4 2 7 5 8
//~ UNSEEN: 10 10
//~ UNSEEN: 3 5 3 1
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

enum color { RED, BLACK };

struct rb {
    int key;
    enum color color;
    struct rb *left;
    struct rb *right;
    struct rb *parent;
};

struct rb leaf = { 0, BLACK, &leaf, &leaf, &leaf };
struct rb *nil = &leaf;
struct rb *root = &leaf;

/* Plain insertion; nodes on even levels are black, on odd levels red. */
void insert(int key)
{
    struct rb *fresh = malloc(sizeof(struct rb));
    struct rb *above = nil;
    struct rb *p = root;

    while (p != nil) {
        above = p;
        if (key < p->key)
            p = p->left;
        else
            p = p->right;
    }
    fresh->key = key;
    fresh->left = nil;
    fresh->right = nil;
    fresh->parent = above;
    if (above == nil) {
        root = fresh;
        fresh->color = BLACK;
    } else {
        if (key < above->key)
            above->left = fresh;
        else
            above->right = fresh;
        fresh->color = above->color == BLACK ? RED : BLACK;
    }
}

void left_rotate(struct rb *x)
{
    struct rb *y = x->right;

    if (y == nil)
        return;
    x->right = y->left;
    if (y->left != nil)
        y->left->parent = x;
    y->parent = x->parent;
    if (x->parent == nil)
        root = y;
    else if (x == x->parent->left)
        x->parent->left = y;
    else
        x->parent->right = y;
    y->left = x;
    x->parent = y;
    y->color = x->color;
    x->color = RED;
}

/* Preorder: key, color, parent; a dot for a leaf. */
void print_tree(struct rb *p)
{
    if (p == nil) {
        printf(". ");
        return;
    }
    printf("%d%c", p->key, p->color == RED ? 'r' : 'b');
    if (p->parent == nil)
        printf("^nil ");
    else
        printf("^%d ", p->parent->key);
    print_tree(p->left);
    print_tree(p->right);
}

/* First argument: the key of the node to rotate, the others: keys to insert. */
int main(int argc, char **argv)
{
    struct rb *x;
    int key = 7;

    if (argc == 1) {
        insert(7);
        insert(4);
        insert(11);
        insert(9);
        insert(18);
    } else {
        key = atoi(argv[1]);
    }
    for (int i = 2; i < argc; i++)
        insert(atoi(argv[i]));
    print_tree(root);
    printf("\n");
    x = root;
    while (x != nil && x->key != key)
        x = key < x->key ? x->left : x->right;
    if (x != nil)
        left_rotate(x);
    print_tree(root);
    printf("\n");
    return 0;
}
