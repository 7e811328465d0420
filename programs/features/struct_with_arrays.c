// Struct that contains arrays: assignment copies the arrays.
#include <stdio.h>

struct grid {
    int n;
    int cell[3][3];
    char title[10];
};

int trace(struct grid g)
{
    int t = 0;

    for (int i = 0; i < g.n; i++)
        t += g.cell[i][i];
    g.cell[0][0] = 1000;
    return t;
}

int main(void)
{
    struct grid a = { 3, { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } }, "first" };
    struct grid b = a;

    b.cell[1][1] = 50;
    b.title[0] = 'F';
    printf("%d %d\n", trace(a), trace(b));
    printf("%s %s %d %d\n", a.title, b.title, a.cell[1][1], a.cell[0][0]);
    return 0;
}
