// Remainder of a division by zero.
#include <stdio.h>
#include <string.h>

int main(void)
{
    unsigned buckets = strlen("");

    printf("hashing\n");
    printf("%u\n", 42u % buckets); //~ FAULT: division-by-zero
    return 0;
}
