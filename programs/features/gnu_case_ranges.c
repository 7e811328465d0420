// GNU C: case ranges.
#include <stdio.h>

int classify(int c)
{
    switch (c) {
    case '0' ... '9':
        return 1;
    case 'a' ... 'z':
    case 'A' ... 'Z':
        return 2;
    case -100 ... -1:
        c = 5;
    case 1000 ... 1999:
        return 3 + c;
    default:
        return 0;
    }
}

int main(void)
{
    int xs[] = { '0', '5', '9', 'q', 'Z', -1, -100, -101, 1000, 1999, 2000 };

    for (unsigned i = 0; i < sizeof xs / sizeof *xs; i++)
        printf("%d ", classify(xs[i]));
    printf("\n");
    return 0;
}
