// Read past the end of a local array.
#include <stdio.h>

int main(void)
{
    int a[4] = { 1, 2, 3, 4 };
    int sum = 0;

    printf("summing\n");
    for (int i = 0; i < 5; i++)
        sum += a[i]; //~ FAULT: out-of-bounds
    printf("%d\n", sum > 1000000);
    return 0;
}
