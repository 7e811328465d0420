// Left-right double rotation at the root of an AVL tree, done in one go.
//~ ID: B14
//~ FUNCTION: left_right_rotate
//~ INPUT: 9 4 10 2 6 5
//~ INPUT: 5 1 3
//~ INPUT: 5 3
//~ INPUT: 4
//~ INPUT:
//~ UNSEEN: 9 4 12 2 6 5 7
//~ UNSEEN: 8 2 9 4 6
//~ UNSEEN: 3 2 1
//~ UNSEEN: 30 10 40 5 20 15 25
//~ UNSEEN: 6 1 4 2
#include <stdio.h>
#include <stdlib.h>

typedef struct avl {
    int key;
    struct avl *left;
    struct avl *right;
} AVL;

AVL *root;

void insert(int key)
{
    AVL **link = &root;

    while (*link != NULL)
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    *link = (AVL *) malloc(sizeof(AVL));
    (*link)->key = key;
    (*link)->left = NULL;
    (*link)->right = NULL;
}

void left_right_rotate(void)
{
    AVL *top = root;
    AVL *child;
    AVL *grandchild;

    if (top == NULL || top->left == NULL)
        return;
    child = top->left;
    grandchild = child->right;
    if (grandchild == NULL)
        return;
    child->right = grandchild->left;
    grandchild->left = child;
    top->left = grandchild->right;
    grandchild->right = top;
    root = grandchild;
}

void print_tree(AVL *t)
{
    if (t == NULL) {
        printf(". ");
        return;
    }
    printf("%d ", t->key);
    print_tree(t->left);
    print_tree(t->right);
}

/* The arguments are the keys to insert; none means an empty tree. */
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        insert(atoi(argv[i]));
    print_tree(root);
    printf("\n");
    left_right_rotate();
    print_tree(root);
    printf("\n");
    return 0;
}
