// scanf: %s %c %[...] widths, blanks in the format, assignment suppression.
//~ STDIN: hello world\nthe rest of a line\nabc123 longword\n  x y
#include <stdio.h>

int main(void)
{
    char a[20], b[20], line[50], c, d;
    int n;

    n = scanf("%s%s", a, b);
    printf("%d <%s> <%s>\n", n, a, b);
    n = scanf(" %[^\n]", line);
    printf("%d <%s>\n", n, line);
    n = scanf(" %[a-z]%[0-9]", a, b);
    printf("%d <%s> <%s>\n", n, a, b);
    n = scanf("%4s%*2s%s", a, b);
    printf("%d <%s> <%s>\n", n, a, b);
    scanf("%c", &c);
    scanf(" %c", &d);
    printf("%d %c\n", c, d);
    scanf("%c%c", &c, &d);
    printf("<%c> <%c>\n", c, d);
    printf("%d\n", scanf("%s", a));
    return 0;
}
