// main returns a status that is not zero; only its low eight bits count.
//~ EXIT: 44
#include <stdio.h>

int main(void)
{
    printf("status 300\n");
    return 300;
}
