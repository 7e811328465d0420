// fgets: lines with and without newline, a line longer than the buffer; puts and fputs.
//~ STDIN: short\na line that is longer\n\nend
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[12];
    int n = 0;

    while (fgets(line, sizeof line, stdin) != NULL) {
        size_t length = strlen(line);
        int complete = length > 0 && line[length - 1] == '\n';

        if (complete)
            line[length - 1] = '\0';
        printf("%d <%s> %d\n", n++, line, complete);
    }
    puts("puts adds a newline");
    fputs("fputs does not", stdout);
    fputc('\n', stdout);
    return 0;
}
