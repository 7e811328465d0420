// Recursion: towers of Hanoi.
#include <stdio.h>

int moves;

void hanoi(int n, char from, char to, char via)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, via, to);
    moves++;
    printf("%d:%c->%c ", n, from, to);
    hanoi(n - 1, via, to, from);
}

int main(void)
{
    hanoi(3, 'A', 'C', 'B');
    printf("\n%d\n", moves);
    return 0;
}
