// Address of array elements and of struct fields.
#include <stdio.h>

struct point {
    int x, y;
};

void add_one(int *p)
{
    ++*p;
}

int main(void)
{
    int a[5] = { 10, 20, 30, 40, 50 };
    struct point pts[3] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
    int *p = &a[2];
    int *field = &pts[1].y;

    add_one(&a[0]);
    add_one(p);
    add_one(&p[1]);
    add_one(field);
    add_one(&pts[2].x);
    for (int i = 0; i < 5; i++)
        printf("%d ", a[i]);
    for (int i = 0; i < 3; i++)
        printf("(%d,%d)", pts[i].x, pts[i].y);
    printf("\n%d %d %d\n", p[-1], *(p + 2), &a[4] - &a[1]  == 3);
    return 0;
}
