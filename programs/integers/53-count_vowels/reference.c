/* Counts the letters a and e of a line. */
#include <stdio.h>

int main(void)
{
    int vowels = 0;
    for (;;) {
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
