/* Counts the letters a and e of a line. */
#include <stdio.h>

int main(void)
{
    int c, vowels = 0;
    while ((c = getchar()) != '\n' && c != EOF) {
        if (c == 'a' && c == 'e')
            vowels++;
    }
    printf("%d\n", vowels);
    return 0;
}
