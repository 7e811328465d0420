// Loops without end condition: for(;;) and while(1), left by break, return and goto.
#include <stdio.h>

int collatz(int n)
{
    int steps = 0;

    for (;;) {
        if (n == 1)
            return steps;
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
}

int main(void)
{
    int a = 0, b = 0;

    while (1) {
        if (++a == 5)
            break;
    }
    for (;;)
        if (b++ > 3)
            goto out;
out:
    do {
        a--;
        if (a < 0)
            break;
    } while (1);
    printf("%d %d %d %d\n", a, b, collatz(27), collatz(1));
    return 0;
}
