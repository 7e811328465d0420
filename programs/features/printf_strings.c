// printf: %s and %c with width, precision and *; %n is not used.
#include <stdio.h>

int main(void)
{
    const char *s = "wolverine";
    char raw[3] = { 'a', 'b', 'c' };

    printf("[%s] [%12s] [%-12s] [%.4s] [%8.3s] [%-8.3s]\n", s, s, s, s, s, s);
    printf("[%*s] [%-*s] [%.*s]\n", 11, s, 11, s, 2, s);
    printf("[%.3s] [%s] [%5s] [%.0s]\n", raw, "", "", s);
    printf("%c%c%c%5c|%-5c|\n", 'a', 98, s[0], 'r', 'l');
    printf("%-10s|%5d|%-6.2f|\n", "row", 12, 3.14159);
    printf("%s%s%s\n", "con", "cat", "enated");
    return 0;
}
