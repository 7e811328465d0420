#include <stdio.h>

#define LESS(a, b) a < b
#define TWICE(e) ((e) + (e))
#define NOT(c) !(c)
#define IF_SMALL if (x < 3)

struct node { int key; struct node *next; };

static int f(int a, int b, int c)
{
    int x = a, y = b;
    if (a || b && c)
        x++;
    if ((a || b) && (c || x))
        y--;
    if (!a && !(b || c) || a == b)
        x = y = 3;
    IF_SMALL x += TWICE(y - 1);
    if (NOT(x > y) || LESS(x, c))
        y = x - (y - c);
    while (x > 0 && y)
        x -= 2;
    x = a && b;
    y += a > 1 == c;
    y = y - x - -1;
    y = y + (a ? b : c) * 2;
    { int a = x; y += a; }
    return x * 100 + y;
}

static int walk(struct node *list, int key)
{
    struct node *at = list, *last = NULL;
    int steps = 0;
    while (at && at->key != key) {
        last = at;
        at = at->next;
        ++steps;
    }
    if (last == NULL)
        return -1;
    return at ? last->key + steps : steps;
}

int main(void)
{
    struct node third = { 7, NULL }, second = { 5, &third }, first = { 2, &second };
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 2; b++)
            printf("%d %d\n", f(a, b, a - b), f(b, a, 1));
    printf("%d %d %d\n", walk(&first, 5), walk(&first, 2), walk(&first, 8));
    return 0;
}
