// The same block is freed twice.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *a = malloc(sizeof(int)), *b = a;

    *a = 3;
    printf("%d\n", *b);
    free(a);
    free(b); //~ FAULT: double-free
    printf("never\n");
    return 0;
}
