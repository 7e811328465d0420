#include <stddef.h>
#define FIRST(list) ((list)->next)
enum color { RED, GREEN = 5 };
typedef struct node {
    int value;
    struct node *next;
    union { char c[4]; float f; };
} node;
static const char *names[] = { "red", [2] = "blue" };
int total = 3 * (2 + 1);

int sum(const node *list, int limit)
{
    int s = 0, unused;
    for (const node *p = list; p != NULL && s < limit; p = p->next) {
        if (p->value < 0)
            continue;
        s += p->value;
    }
    while (limit-- > 0)
        ;
    do {
        list = FIRST(list);
    } while (list);
again:
    switch (s) {
    case RED:
        return -s;
    case 2 ... 4:
        goto again;
    default:
        break;
    }
    return s > 9 ? (char) s : (int) sizeof(node);
}
