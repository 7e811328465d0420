// Array parameters are pointers: changes are seen by the caller, sizeof gives the size of a pointer.
#include <stdio.h>

void fill(int a[], int n, int value)
{
    for (int i = 0; i < n; i++)
        a[i] = value + i;
}

int advance(int a[4])
{
    a++;
    return *a;
}

int corner(int m[][3], int rows)
{
    return m[rows - 1][2];
}

int is_pointer(int a[3])
{
    int *copy = a;

    return sizeof copy == sizeof(int *) && copy == a;
}

int main(void)
{
    int a[4], m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };

    fill(a, 4, 10);
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    fill(a + 1, 2, 77);
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    printf("%d %d %d\n", advance(a), corner(m, 2), is_pointer(a));
    return 0;
}
