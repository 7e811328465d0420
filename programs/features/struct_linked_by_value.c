// Structs inside structs inside arrays: copies are deep for arrays and shallow for pointers.
#include <stdio.h>

struct inner { int v[2]; int *p; };
struct outer { struct inner in[2]; };

int main(void)
{
    int shared = 5;
    struct outer a = { { { { 1, 2 }, &shared }, { { 3, 4 }, NULL } } };
    struct outer b = a;
    struct outer grid[2];

    b.in[0].v[1] = 99;
    *b.in[0].p = 6;
    printf("%d %d %d\n", a.in[0].v[1], b.in[0].v[1], *a.in[0].p);
    grid[0] = a;
    grid[1] = grid[0];
    grid[1].in[1] = b.in[0];
    printf("%d %d %d\n", grid[0].in[1].v[0], grid[1].in[1].v[0], grid[1].in[1].p == &shared);
    a.in[0].p = &a.in[1].v[0];
    b = a;
    *b.in[0].p = 77;
    printf("%d %d\n", a.in[1].v[0], b.in[1].v[0]);
    return 0;
}
