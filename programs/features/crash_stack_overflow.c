// Endless recursion.
#include <stdio.h>

int depth(int n)
{
    volatile int here = n;

    return depth(here + 1) + 1; //~ FAULT: stack-overflow
}

int main(void)
{
    printf("going down\n");
    printf("%d\n", depth(0));
    return 0;
}
