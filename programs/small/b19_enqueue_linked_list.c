// Enqueue at the rear of a queue that is kept as a linked list.
//~ ID: B19
//~ FUNCTION: enqueue
//~ INPUT: 3 1 4 1 5
//~ INPUT: 7
//~ INPUT: 2 0 6 8
//~ INPUT:
//~ UNSEEN: 9 8 7 6 5 4
//~ UNSEEN: 0
//~ UNSEEN: 1 2
//~ UNSEEN: 5 0 0 3
//~ UNSEEN: 4 4 0 0 0 9 0 8 7 6
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct queue {
    struct node *front;
    struct node *rear;
    int size;
};

void enqueue(struct queue *q, int data)
{
    struct node *fresh = (struct node *) malloc(sizeof(struct node));

    fresh->data = data;
    fresh->next = NULL;
    if (q->rear == NULL) {
        q->front = fresh;
        q->rear = fresh;
        q->size = 1;
    } else {
        q->rear->next = fresh;
        q->rear = fresh;
        q->size = q->size + 1;
    }
}

void dequeue(struct queue *q)
{
    struct node *old = q->front;

    if (old == NULL)
        return;
    q->front = old->next;
    if (q->front == NULL)
        q->rear = NULL;
    q->size--;
    free(old);
}

void print_queue(struct queue *q)
{
    struct node *p;

    printf("%d:", q->size);
    for (p = q->front; p != NULL; p = p->next)
        printf(" %d", p->data);
    if (q->rear != NULL)
        printf(" (rear %d)", q->rear->data);
    printf("\n");
}

/* Every argument is enqueued, but a zero takes one value off the queue. */
int main(int argc, char **argv)
{
    struct queue q = { NULL, NULL, 0 };

    for (int i = 1; i < argc; i++) {
        int value = atoi(argv[i]);

        if (value != 0)
            enqueue(&q, value);
        else
            dequeue(&q);
    }
    print_queue(&q);
    while (q.front != NULL)
        dequeue(&q);
    return 0;
}
