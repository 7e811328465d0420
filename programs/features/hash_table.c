// Hash table with chaining: string keys, counting words, deletion.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 3

struct entry { char *key; int count; struct entry *next; };
static struct entry *table[BUCKETS];

static unsigned hash(const char *s)
{
    unsigned h = 5381;

    while (*s)
        h = h * 33 ^ (unsigned char) *s++;
    return h % BUCKETS;
}

static struct entry *lookup(const char *key, int create)
{
    struct entry *e;
    unsigned h = hash(key);

    for (e = table[h]; e; e = e->next)
        if (strcmp(e->key, key) == 0)
            return e;
    if (!create)
        return NULL;
    e = malloc(sizeof *e);
    e->key = strdup(key);
    e->count = 0;
    e->next = table[h];
    return table[h] = e;
}

int main(void)
{
    char text[] = "a rose is a rose is a rose and that is that";
    int used = 0, longest = 0;

    for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
        lookup(w, 1)->count++;
    printf("%d %d %d\n", lookup("rose", 0)->count, lookup("a", 0)->count, lookup("that", 0)->count);
    printf("%d %u\n", lookup("tulip", 0) == NULL, hash("rose"));
    for (int i = 0; i < BUCKETS; i++) {
        int n = 0;
        for (struct entry *e = table[i]; e; e = e->next)
            n++;
        used += n;
        if (n > longest)
            longest = n;
    }
    printf("%d %d\n", used, longest);
    return 0;
}
