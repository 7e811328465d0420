// Reads numbers until 0, then runs for ever.
#include <stdio.h>

int main(void) {
    int sum = 0, number = 0;
    do {
        if (scanf("%d", &number) != 1)
            return 1;
        sum = sum + number;
    } while (number != 0);
    printf("the sum is %d\n", sum);
    fflush(stdout);
    for (;;)
        sum = sum + 1;
}
