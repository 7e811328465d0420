// void pointers: a generic list and a generic swap that copies bytes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { void *data; struct item *next; };

void swap(void *a, void *b, size_t size)
{
    char t[16];

    memcpy(t, a, size);
    memcpy(a, b, size);
    memcpy(b, t, size);
}

struct item *cons(void *data, struct item *next)
{
    struct item *i = malloc(sizeof *i);

    i->data = data;
    i->next = next;
    return i;
}

void each(struct item *i, void (*f)(void *, void *), void *context)
{
    for (; i; i = i->next)
        f(i->data, context);
}

void add(void *x, void *sum) { *(int *) sum += *(int *) x; }
void join(void *s, void *out) { strcat(out, s); }

int main(void)
{
    int a = 1, b = 2, c = 39, sum = 0;
    double x = 1.5, y = 2.5;
    char out[32] = "";

    swap(&a, &b, sizeof a);
    swap(&x, &y, sizeof x);
    printf("%d %d %.1f %.1f\n", a, b, x, y);
    each(cons(&a, cons(&b, cons(&c, NULL))), add, &sum);
    each(cons("ab", cons("cd", NULL)), join, out);
    printf("%d %s\n", sum, out);
    return 0;
}
