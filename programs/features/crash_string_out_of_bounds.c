// strcpy into a block without room for the terminating zero.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *text = "wolverine";
    char *copy = malloc(strlen(text));

    printf("copying\n");
    strcpy(copy, text); //~ FAULT: out-of-bounds
    printf("%s\n", copy);
    return 0;
}
