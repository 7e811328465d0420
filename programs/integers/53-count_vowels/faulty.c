/* Counts the letters a and e among the first four of a line. */
#include <stdio.h>

int main(void)
{
    int c, vowels = 0;
    for (int i = 0; i < 4; i++) {
        c = getchar();
        if (c == '\n' || c == EOF)
            break;
        if (c == 'a' && c == 'e')
            vowels++;
    }
    printf("%d\n", vowels);
    return 0;
}
