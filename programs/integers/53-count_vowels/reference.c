/* Counts the letters a and e among the first four of a line. */
#include <stdio.h>

int main(void)
{
    int vowels = 0;
    int left = 4;
    while (left-- > 0) {
        int c = getchar();
        if (c == EOF || c == '\n')
            break;
        switch (c) {
        case 'a':
        case 'e':
            vowels = vowels + 1;
        }
    }
    printf("%d\n", vowels);
    return 0;
}
