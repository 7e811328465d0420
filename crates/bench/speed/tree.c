// Tree work for the speed measurements: insert into and search a binary tree.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *left, *right;
};

unsigned int seed = 1;

int draw(void) {
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) & 0x7fff;
}

struct node *insert(struct node *root, int key) {
    if (root == NULL) {
        root = malloc(sizeof(struct node));
        root->key = key;
        root->left = root->right = NULL;
        return root;
    }
    if (key < root->key)
        root->left = insert(root->left, key);
    else if (key > root->key)
        root->right = insert(root->right, key);
    return root;
}

int contains(struct node *root, int key) {
    while (root != NULL) {
        if (key == root->key)
            return 1;
        root = key < root->key ? root->left : root->right;
    }
    return 0;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 100;
    int i, found = 0;
    struct node *root = NULL;
    for (i = 0; i < rounds * 10; i++) {
        root = insert(root, draw());
        found += contains(root, draw());
    }
    printf("%d\n", found);
    return 0;
}
