// qsort with comparators on ints, strings and structs; bsearch.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { int key; char tag; };

int by_int(const void *a, const void *b)
{
    int x = *(const int *) a, y = *(const int *) b;

    return (x > y) - (x < y);
}

int descending(const void *a, const void *b) { return by_int(b, a); }
int by_string(const void *a, const void *b) { return strcmp(*(char *const *) a, *(char *const *) b); }
int by_key(const void *a, const void *b) { return ((struct item *) a)->key - ((struct item *) b)->key; }

int main(void)
{
    int a[] = { 5, 2, 9, -1, 7 }, key = 7, missing = 6;
    const char *s[] = { "pear", "apple", "fig" };
    struct item items[] = { { 3, 'c' }, { 1, 'a' }, { 2, 'b' } }, probe = { 2, 0 };
    int *hit;

    qsort(a, 5, sizeof(int), by_int);
    for (int i = 0; i < 5; i++)
        printf("%d ", a[i]);
    hit = bsearch(&key, a, 5, sizeof *a, by_int);
    printf("at %td, %d\n", hit - a, bsearch(&missing, a, 5, sizeof *a, by_int) == NULL);
    qsort(a, 5, sizeof *a, descending);
    qsort(s, 3, sizeof s[0], by_string);
    qsort(items, 3, sizeof(struct item), by_key);
    printf("%d %d %s %s %s %c%c%c\n", a[0], a[4], s[0], s[1], s[2], items[0].tag, items[1].tag, items[2].tag);
    printf("%c\n", ((struct item *) bsearch(&probe, items, 3, sizeof probe, by_key))->tag);
    return 0;
}
