// Old C: K&R function definitions and a function declared without parameters.
#include <stdio.h>

int add();

int max(a, b)
    int a;
    int b;
{
    return a > b ? a : b;
}

void show(name, values, n)
    char *name;
    int values[], n;
{
    int i;

    printf("%s:", name);
    for (i = 0; i < n; i++)
        printf(" %d", values[i]);
    printf("\n");
}

int main()
{
    int v[3];

    v[0] = 3; v[1] = 8; v[2] = 5;
    show("values", v, 3);
    printf("%d %d\n", max(max(v[0], v[1]), v[2]), add(2, 3));
    return 0;
}

int add(x, y)
    int x, y;
{
    return x + y;
}
