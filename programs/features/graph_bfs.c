// Graph with adjacency lists: breadth first distances and depth first order.
#include <stdio.h>
#include <stdlib.h>

#define N 7

struct edge { int to; struct edge *next; };
struct edge *graph[N];
int seen[N];

void connect(int a, int b)
{
    struct edge *e = malloc(sizeof *e);

    e->to = b;
    e->next = graph[a];
    graph[a] = e;
}

void dfs(int v)
{
    seen[v] = 1;
    printf("%d ", v);
    for (struct edge *e = graph[v]; e; e = e->next)
        if (!seen[e->to])
            dfs(e->to);
}

int main(void)
{
    int pairs[][2] = { { 0, 1 }, { 0, 2 }, { 1, 3 }, { 2, 3 }, { 3, 4 }, { 5, 6 } };
    int queue[N], head = 0, tail = 0, dist[N];

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        connect(pairs[i][0], pairs[i][1]);
        connect(pairs[i][1], pairs[i][0]);
    }
    for (int i = 0; i < N; i++)
        dist[i] = -1;
    dist[queue[tail++] = 0] = 0;
    while (head < tail) {
        int v = queue[head++];
        for (struct edge *e = graph[v]; e; e = e->next)
            if (dist[e->to] < 0) {
                dist[e->to] = dist[v] + 1;
                queue[tail++] = e->to;
            }
    }
    for (int i = 0; i < N; i++)
        printf("%d ", dist[i]);
    printf("\n");
    dfs(0);
    printf("\n");
    return 0;
}
