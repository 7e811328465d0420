// fprintf to stderr and stdout, fflush; only stdout is compared.
#include <stdio.h>

int main(void)
{
    fprintf(stdout, "to stdout %d\n", 1);
    fprintf(stderr, "to stderr %d\n", 2);
    fputs("error text\n", stderr);
    fflush(stdout);
    printf("%d\n", fprintf(stderr, "12345\n"));
    return 0;
}
