// free of a pointer into the middle of a block.
#include <stdio.h>
#include <stdlib.h>

void skip_blanks(char **s)
{
    while (**s == ' ')
        ++*s;
}

int main(void)
{
    char *s = malloc(10);

    s[0] = ' ';
    s[1] = 'a';
    skip_blanks(&s);
    printf("%c\n", *s);
    free(s); //~ FAULT: invalid-free
    return 0;
}
