/* Prints how far its two arguments are apart. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 3) {
        int a = atoi(argv[1]), b = atoi(argv[2]);
        if (a < -100 || a > 100 || b < -100 || b > 100)
            return 2;
        printf("%d\n", a > b ? a - b : b - a);
        return 0;
    }
    return 2;
}
