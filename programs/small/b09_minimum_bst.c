// Find the node with the minimum key of a binary search tree, and its parent.
//~ ID: B9
//~ FUNCTION: minimum
//~ INPUT: 5 3 8 1 4
//~ INPUT: 7
//~ INPUT: 2 6 9
//~ INPUT:
//~ UNSEEN: 9 8 7 6 5 4
//~ UNSEEN: 1 2 3
//~ UNSEEN: 4 4 4
//~ UNSEEN: 10 -5 20 -8 0 -6
//~ UNSEEN: 50 30 70 20 40 60 80 25
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left;
    struct tree *right;
};

struct tree *root;

void insert(int key)
{
    struct tree *fresh = malloc(sizeof(struct tree));
    struct tree *p;

    fresh->key = key;
    fresh->left = NULL;
    fresh->right = NULL;
    if (root == NULL) {
        root = fresh;
        return;
    }
    p = root;
    while (1) {
        if (key < p->key) {
            if (p->left == NULL) {
                p->left = fresh;
                break;
            }
            p = p->left;
        } else {
            if (p->right == NULL) {
                p->right = fresh;
                break;
            }
            p = p->right;
        }
    }
}

struct tree *minimum(struct tree **parent)
{
    struct tree *above = NULL;
    struct tree *p = root;

    if (p != NULL) {
        while (p->left != NULL) {
            above = p;
            p = p->left;
        }
    }
    *parent = above;
    return p;
}

void print_tree(struct tree *p)
{
    if (p == NULL) {
        printf(". ");
    } else {
        printf("%d ", p->key);
        print_tree(p->left);
        print_tree(p->right);
    }
}

/* The arguments are the keys to insert; none means an empty tree. */
int main(int argc, char **argv)
{
    struct tree *least, *parent;

    for (int i = 1; i < argc; i++)
        insert(atoi(argv[i]));
    print_tree(root);
    printf("\n");
    least = minimum(&parent);
    if (least == NULL)
        printf("no minimum\n");
    else if (parent == NULL)
        printf("minimum %d at the root\n", least->key);
    else
        printf("minimum %d below %d\n", least->key, parent->key);
    return 0;
}
