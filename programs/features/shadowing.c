// Shadowed variables: global, parameter, local and nested blocks.
#include <stdio.h>

int x = 1;

int get(void) { return x; }

int f(int x)
{
    x *= 2;
    {
        int x = 100;
        x++;
        if (x > 100) {
            int x = 1000;
            x++;
            printf("%d ", x);
        }
        printf("%d ", x);
    }
    return x;
}

int main(void)
{
    printf("%d\n", f(5));
    int x = 7;
    printf("%d %d\n", x, get());
    {
        extern int x;
        x += 10;
        printf("%d\n", x);
    }
    for (int x = 0; x < 2; x++) {
        int x = 50;
        printf("%d ", x++);
    }
    printf("%d %d\n", x, get());
    return 0;
}
