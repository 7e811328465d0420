// Pointer to a local variable of a function that has returned.
#include <stdio.h>

static int *saved;

void keep(void)
{
    int local = 5;

    saved = &local;
    printf("%d\n", *saved);
}

int main(void)
{
    keep();
    printf("%d\n", *saved); //~ FAULT: dangling
    return 0;
}
