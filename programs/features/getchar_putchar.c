// getchar until EOF, putchar, ungetc: count lines, words and characters.
//~ STDIN: one two\n three  4\n\nlast
#include <stdio.h>

int main(void)
{
    int c, lines = 0, words = 0, chars = 0, inside = 0;

    c = getchar();
    putchar(c);
    putchar('\n');
    ungetc(c, stdin);
    while ((c = getchar()) != EOF) {
        chars++;
        if (c == '\n')
            lines++;
        if (c == ' ' || c == '\n') {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            words++;
            putchar(c);
        }
    }
    printf("\n%d %d %d %d\n", lines, words, chars, feof(stdin) != 0);
    return 0;
}
