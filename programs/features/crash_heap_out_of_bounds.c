// Write past the end of a heap block.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 5;
    int *a = malloc(n * sizeof(int));

    printf("filling\n");
    for (int i = 0; i <= n; i++)
        a[i] = i; //~ FAULT: out-of-bounds
    printf("%d\n", a[n - 1]);
    return 0;
}
