// Structs by value: assigned, passed and returned; the original does not change.
#include <stdio.h>

struct vec {
    int x, y;
};

struct vec add(struct vec a, struct vec b)
{
    a.x += b.x;
    a.y += b.y;
    return a;
}

struct vec make(int x, int y)
{
    struct vec v;

    v.x = x;
    v.y = y;
    return v;
}

int main(void)
{
    struct vec a = make(1, 2), b = { 10, 20 }, c;

    c = add(a, b);
    printf("%d %d | %d %d | %d %d\n", a.x, a.y, b.x, b.y, c.x, c.y);
    c = a = add(c, make(100, 200));
    printf("%d %d %d\n", a.x, c.y, add(add(a, b), c).x);
    printf("%d\n", make(5, 6).y);
    return 0;
}
