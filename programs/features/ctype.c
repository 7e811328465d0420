// ctype.h: isalpha isdigit isalnum isspace isupper islower ispunct isxdigit toupper tolower.
#include <stdio.h>
#include <ctype.h>

int main(void)
{
    const char *text = "Ab3 _z\t9!F";
    char out[16];
    int i;

    for (i = 0; text[i]; i++) {
        unsigned char c = text[i];

        printf("%d%d%d%d%d%d%d%d ", !!isalpha(c), !!isdigit(c), !!isalnum(c), !!isspace(c),
               !!isupper(c), !!islower(c), !!ispunct(c), !!isxdigit(c));
        out[i] = isupper(c) ? tolower(c) : toupper(c);
    }
    out[i] = '\0';
    printf("\n%s\n%c%c%c\n", out, toupper('q'), tolower('Q'), toupper('5'));
    return 0;
}
