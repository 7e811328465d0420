/* Prints how far its two arguments are apart. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    printf("%d\n", abs(atoi(argv[1]) - atoi(argv[2])));
    return 0;
}
