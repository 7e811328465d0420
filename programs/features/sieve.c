// Sieve of Eratosthenes with an array of _Bool, and a nested search for perfect numbers.
//~ INPUT: 50
//~ INPUT: 2
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 30, count = 0;
    bool *composite = calloc(n + 1, sizeof(bool));

    for (int i = 2; i <= n; i++) {
        if (composite[i])
            continue;
        printf("%d ", i);
        count++;
        for (long j = (long) i * i; j <= n; j += i)
            composite[j] = true;
    }
    printf("(%d)\n", count);
    for (int i = 2; i <= 500; i++) {
        int sum = 1;
        for (int d = 2; d * d <= i; d++)
            if (i % d == 0)
                sum += d == i / d ? d : d + i / d;
        if (sum == i)
            printf("%d ", i);
    }
    printf("\n");
    free(composite);
    return 0;
}
