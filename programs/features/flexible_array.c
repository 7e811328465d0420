// Flexible array member: one allocation for a header and its data.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
    int length;
    char data[];
};

struct ints {
    unsigned char n;
    int v[];
};

struct buffer *make(const char *s)
{
    struct buffer *b = malloc(sizeof(struct buffer) + strlen(s) + 1);

    b->length = strlen(s);
    strcpy(b->data, s);
    return b;
}

int main(void)
{
    struct buffer *b = make("flexible");
    struct ints *i = malloc(sizeof *i + 3 * sizeof(int));
    int sum = 0;

    printf("%d %s %c\n", b->length, b->data, b->data[5]);
    i->n = 3;
    for (int k = 0; k < i->n; k++)
        i->v[k] = (k + 1) * 100;
    for (int k = 0; k < i->n; k++)
        sum += i->v[k];
    printf("%d %zu %zu\n", sum, sizeof *b, sizeof *i);
    free(b);
    free(i);
    return 0;
}
