// Compound literals: structs as arguments, arrays, address of one, assigned.
#include <stdio.h>

struct vec { int x, y; };

int dot(struct vec a, struct vec b) { return a.x * b.x + a.y * b.y; }
int sum(const int *a, int n) { int s = 0; while (n--) s += *a++; return s; }
void move(struct vec *v, const struct vec *by) { v->x += by->x; v->y += by->y; }

int main(void)
{
    struct vec v = { 1, 2 };
    struct vec *p = &(struct vec) { 5, 6 };
    int *a = (int []) { 4, 5, 6 };

    printf("%d\n", dot(v, (struct vec) { 3, 4 }));
    v = (struct vec) { .y = 9 };
    printf("%d %d\n", v.x, v.y);
    printf("%d %d\n", sum((int []) { 1, 2, 3, 4 }, 4), sum(a, 3));
    move(&v, &(struct vec) { 10, 10 });
    p->x = 50;
    printf("%d %d %d %d\n", v.x, v.y, p->x, p->y);
    a[1] = 0;
    printf("%d %d\n", sum(a, 3), (int) { 77 });
    return 0;
}
