// Endless loop: the counter is never changed.
#include <stdio.h>

int main(void)
{
    int i = 0, sum = 0;

    printf("summing\n");
    while (i < 10) //~ FAULT: endless-loop
        sum = (sum + i) & 0xff;
    printf("%d\n", sum);
    return 0;
}
