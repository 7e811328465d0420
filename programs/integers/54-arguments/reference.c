/* Prints how far its two arguments are apart. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int a = atoi(argv[1]), b = atoi(argv[2]);
    if (a < -100 || a > 100 || b < -100 || b > 100)
        return 2;
    int d = a - b;
    if (d < 0)
        d = -d;
    printf("%d\n", d);
    return 0;
}
