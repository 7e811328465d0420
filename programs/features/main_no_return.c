// main may end without return: the status is 0.
#include <stdio.h>

int main(void)
{
    printf("no return\n");
}
