// rand and srand: range, repeatable with the same seed; only properties are printed.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int first[5], same = 1, in_range = 1, counts[6] = { 0 }, all = 1;

    srand(42);
    for (int i = 0; i < 5; i++)
        first[i] = rand();
    srand(42);
    for (int i = 0; i < 5; i++)
        same = same && first[i] == rand();
    for (int i = 0; i < 600; i++) {
        int r = rand();
        in_range = in_range && r >= 0 && r <= RAND_MAX;
        counts[r % 6]++;
    }
    for (int i = 0; i < 6; i++)
        all = all && counts[i] > 50;
    printf("%d %d %d\n", same, in_range, all);
    return 0;
}
