// exit in a nested call: the rest does not run, the status is the argument, output is flushed.
//~ EXIT: 3
#include <stdio.h>
#include <stdlib.h>

void inner(int n)
{
    if (n == 0) {
        printf("leaving");
        exit(3);
    }
    inner(n - 1);
    printf("never\n");
}

int main(void)
{
    printf("start\n");
    inner(4);
    printf("never\n");
    return 0;
}
