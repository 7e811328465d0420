// Insert keys into a binary search tree; a key that is already there is not inserted again.
//~ FUNCTION: insert
//~ INPUT: 5 3 8
//~ INPUT: 5 3 8 1 4 7 9
//~ INPUT: 4 2 4 6 2
//~ INPUT: 1 2 3
//~ INPUT: 6
//~ UNSEEN: 9 8 7 6 5
//~ UNSEEN: 2 1
//~ UNSEEN: 2 3
//~ UNSEEN: 7 7 7
//~ UNSEEN: 10 5 15 3 7 12 18 6 13
//~ UNSEEN: 1 9 2 8 3 7 4
//~ UNSEEN: -2 0 -5 -2 3 -5 3
//~ UNSEEN: 0
//~ UNSEEN:
#include <stdio.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *left;
    struct node *right;
};

struct node *insert(struct node *root, int key)
{
    struct node *n = malloc(sizeof(struct node));

    n->key = key;
    n->left = NULL;
    n->right = NULL;
    if (root == NULL)
        return n;
    if (key < root->key)
        root->left = n;
    else if (key > root->key)
        root->right = n;
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

/* The arguments are inserted one after the other; none means an empty tree. */
int main(int argc, char **argv)
{
    struct node *root = NULL;
    int i;

    for (i = 1; i < argc; i++)
        root = insert(root, atoi(argv[i]));
    print_tree(root);
    printf("\n");
    return 0;
}
