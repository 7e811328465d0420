// Old C: main without a type, implicit int, a function called before it is declared.
#include <stdio.h>

static counter = 5;

twice(x)
{
    return 2 * x;
}

main()
{
    register i;

    for (i = 0; i < 3; i++)
        counter = twice(counter);
    printf("%d %d\n", counter, later(10, 4));
    return 0;
}

int later(int a, int b)
{
    return a - b;
}
