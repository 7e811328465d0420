// Designated initialisers: array elements, ranges, fields, nested; later ones override, the rest is zero.
#include <stdio.h>

struct point { int x, y, z; };
struct line { struct point from, to; const char *name; };

int main(void)
{
    int a[8] = { [2] = 20, 30, [6] = 60 };
    int r[10] = { [0 ... 3] = 1, [5 ... 7] = 2 };
    int open[] = { [4] = 9, [0] = 1 };
    struct point p = { .z = 3, .x = 1 };
    struct line l = { .to = { .y = 5 }, .from.x = 7, .name = "l" };
    struct point ps[3] = { [1] = { 1, 2, 3 }, [2].y = 8 };
    char vowels[128] = { ['a'] = 1, ['e'] = 1 };

    for (int i = 0; i < 8; i++)
        printf("%d ", a[i]);
    printf("\n");
    for (int i = 0; i < 10; i++)
        printf("%d ", r[i]);
    printf("\n%zu %d %d\n", sizeof open / sizeof *open, open[0], open[4]);
    printf("%d %d %d\n", p.x, p.y, p.z);
    printf("%d %d %d %s\n", l.from.x, l.to.x, l.to.y, l.name);
    printf("%d %d %d\n", ps[0].x, ps[1].z, ps[2].y);
    printf("%d %d\n", vowels['e'], vowels['f']);
    return 0;
}
