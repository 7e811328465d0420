// if and else: the else belongs to the nearest if; chains; empty branches.
#include <stdio.h>

int f(int a, int b)
{
    if (a)
        if (b)
            return 1;
        else
            return 2;
    return 3;
}

const char *size(int n)
{
    if (n < 0)
        return "negative";
    else if (n == 0)
        return "zero";
    else if (n < 10) {
        return "small";
    } else
        return "large";
}

int main(void)
{
    printf("%d %d %d %d\n", f(1, 1), f(1, 0), f(0, 1), f(0, 0));
    for (int n = -5; n < 20; n += 5)
        printf("%s ", size(n));
    if (f(0, 0) == 3)
        ;
    else
        printf("never");
    if (1) {} else {}
    printf("\n");
    return 0;
}
