// Queue as a ring buffer: wraparound of the indices, full and empty.
#include <stdio.h>

#define N 4

struct queue { int data[N]; int head, count; };

int put(struct queue *q, int v)
{
    if (q->count == N)
        return 0;
    q->data[(q->head + q->count++) % N] = v;
    return 1;
}

int get(struct queue *q, int *v)
{
    if (q->count == 0)
        return 0;
    *v = q->data[q->head];
    q->head = (q->head + 1) % N;
    q->count--;
    return 1;
}

int main(void)
{
    struct queue q = { .head = 2 };
    int v, refused = 0;

    for (int i = 1; i <= 6; i++)
        refused += !put(&q, i);
    get(&q, &v);
    get(&q, &v);
    printf("%d %d %d\n", v, refused, put(&q, 99));
    while (get(&q, &v))
        printf("%d ", v);
    printf("%d %d\n", q.count, q.head);
    return 0;
}
