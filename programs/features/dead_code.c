// Dead code: after return, after break, if (0), unused functions and labels.
#include <stdio.h>

int unused(int *p)
{
    return *p / 0x7fffffff;
}

int f(int n)
{
    if (n > 0)
        return n;
    else
        return -n;
    printf("never\n");
    return 0;
}

void g(void)
{
    return;
    printf("never\n");
}

int main(void)
{
    if (0) {
        int *p = NULL;
        printf("%d\n", unused(p));
    }
    while (1) {
        break;
        printf("never\n");
    }
    g();
    printf("%d %d\n", f(3), f(-4));
    return 0;
    printf("never\n");
}
