// A call of abort.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    printf("giving up\n");
    abort(); //~ FAULT: abort
    printf("never\n");
    return 0;
}
