// free of the address of a local variable.
#include <stdio.h>
#include <stdlib.h>

void release(int *p)
{
    free(p); //~ FAULT: invalid-free
}

int main(void)
{
    int x = 5;
    int *volatile p = &x;

    printf("%d\n", *p);
    release(p);
    printf("never\n");
    return 0;
}
