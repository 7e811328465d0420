// argc and argv: arguments as strings, numbers, in reverse, the closing null pointer.
//~ INPUT: one 22 -three
//~ INPUT:
//~ INPUT: 7 8 9 10
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char *argv[])
{
    int sum = 0;

    printf("%d\n", argc);
    for (int i = argc - 1; i > 0; i--) {
        printf("%d %s %zu\n", i, argv[i], strlen(argv[i]));
        sum += atoi(argv[i]);
    }
    while (*++argv)
        printf("%c", **argv);
    printf(" %d %d\n", sum, argv[0] == NULL);
    return 0;
}
