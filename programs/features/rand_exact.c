// rand of glibc: exact values without a seed and with seeds 1 and 12345.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    for (int i = 0; i < 3; i++)
        printf("%d ", rand());
    srand(1);
    printf("\n%d\n", rand());
    srand(12345);
    for (int i = 0; i < 5; i++)
        printf("%d ", rand() % 100);
    printf("\n%d\n", RAND_MAX);
    return 0;
}
