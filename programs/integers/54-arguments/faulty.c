/* Prints how far its two arguments are apart. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 3) {
        int a = atoi(argv[1]), b = atoi(argv[2]);
        printf("%d\n", a > b ? a - b : b - a);
        return 0;
    }
    return 2;
}
