// A rotation of a search tree to the right, with one wrong line.
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left;
    struct tree *right;
};

struct tree *root;

struct tree *insert(struct tree *at, int key) {
    if (at == NULL) {
        at = malloc(sizeof(struct tree));
        at->key = key;
        at->left = NULL;
        at->right = NULL;
    } else if (key < at->key) {
        at->left = insert(at->left, key);
    } else {
        at->right = insert(at->right, key);
    }
    return at;
}

struct tree *rotate_right(struct tree *top) {
    struct tree *pivot = top->left;
    struct tree *inner = pivot->right;
    pivot->right = top;
    top->left = pivot;
    return pivot;
}

void print(struct tree *at) {
    if (at == NULL)
        return;
    print(at->left);
    printf("%d ", at->key);
    print(at->right);
}

int main(void) {
    int keys[] = {50, 30, 70, 20, 40, 60, 80};
    for (int i = 0; i < 7; i++)
        root = insert(root, keys[i]);
    root = rotate_right(root);
    print(root);
    printf("\n");
    return 0;
}
