// Self-referential structs in an array pool, linked by indices, with a free list.
#include <stdio.h>

#define NIL (-1)

struct cell { int value, next; };

static struct cell pool[6];
static int free_list, head = NIL;

static void init(void)
{
    for (int i = 0; i < 6; i++)
        pool[i].next = i + 1 < 6 ? i + 1 : NIL;
    free_list = 0;
}

static int push(int value)
{
    int i = free_list;

    if (i == NIL)
        return 0;
    free_list = pool[i].next;
    pool[i].value = value;
    pool[i].next = head;
    head = i;
    return 1;
}

static void drop(int value)
{
    int *link = &head;

    while (*link != NIL && pool[*link].value != value)
        link = &pool[*link].next;
    if (*link != NIL) {
        int i = *link;
        *link = pool[i].next;
        pool[i].next = free_list;
        free_list = i;
    }
}

int main(void)
{
    int pushed = 0;

    init();
    for (int i = 1; i <= 8; i++)
        pushed += push(i * 11);
    drop(33);
    drop(66);
    drop(5);
    pushed += push(100);
    for (int i = head; i != NIL; i = pool[i].next)
        printf("%d@%d ", pool[i].value, i);
    printf("%d %d\n", pushed, free_list);
    return 0;
}
