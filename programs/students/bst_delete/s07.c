// Delete a key from a binary search tree; a node with two children takes the key of the next larger node, which is removed instead.
//~ FUNCTION: delete_node
//~ INPUT: 1 5 3 8 1 4 7 9
//~ INPUT: 5 5 3 8 1 4 7 9
//~ INPUT: 4 4 7 6
//~ INPUT: 8 5 2 8 6 7
//~ INPUT: 5 5 2 8 9
//~ INPUT: 6 5 3 8
//~ UNSEEN: 7 7
//~ UNSEEN: 3 6 3 9 1 5 4
//~ UNSEEN: 2 2 1
//~ UNSEEN: 2 2 3
//~ UNSEEN: 1 2 1 3
//~ UNSEEN: 3
//~ UNSEEN: 50 50 30 70 20 40 60 80 55 65 75
//~ UNSEEN: 70 50 30 70 20 40 60 80 55 65 75
//~ UNSEEN: 30 50 30 70 20 40 60 80 35 37
//~ UNSEEN: 9 1 2 9 3 8 4
//~ UNSEEN: 4 4 4 2 2 6
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *left;
    struct node *right;
};

struct node *add(struct node *root, int key)
{
    if (root == NULL) {
        root = malloc(sizeof(struct node));
        root->key = key;
        root->left = NULL;
        root->right = NULL;
    } else if (key < root->key) {
        root->left = add(root->left, key);
    } else if (key > root->key) {
        root->right = add(root->right, key);
    }
    return root;
}

struct node *delete_node(struct node *root, int key)
{
    struct node *parent = NULL, *p = root, *child, *s;

    while (p != NULL && p->key != key) {
        parent = p;
        if (key < p->key)
            p = p->left;
        else
            p = p->right;
    }
    if (p == NULL)
        return root;
    if (p->left != NULL && p->right != NULL) {
        s = p->right;
        parent = p;
        while (s->left != NULL) {
            parent = s;
            s = s->left;
        }
        p->key = s->key;
        p = s;
    }
    if (p->left != NULL)
        child = p->left;
    else
        child = p->right;
    if (parent->left == p)
        parent->left = child;
    else
        parent->right = child;
    free(p);
    return root;
}

void print_tree(struct node *root)
{
    if (root == NULL) {
        printf(".");
        return;
    }
    printf("(");
    print_tree(root->left);
    printf(" %d ", root->key);
    print_tree(root->right);
    printf(")");
}

/* First argument: the key to delete (0 if there is none), the others: the keys of the tree in the order of insertion. */
int main(int argc, char **argv)
{
    struct node *root = NULL;
    int key = 0;
    int i;

    if (argc > 1)
        key = atoi(argv[1]);
    for (i = 2; i < argc; i++)
        root = add(root, atoi(argv[i]));
    root = delete_node(root, key);
    print_tree(root);
    printf("\n");
    return 0;
}
