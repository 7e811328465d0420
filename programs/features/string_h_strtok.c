// string.h: strtok splits a buffer in place.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[] = "  add 12,;34  sub,5 ";
    char path[] = "/usr/local/bin";
    int n = 0;
    char *word = strtok(line, " ,;");

    while (word != NULL) {
        printf("%d <%s>\n", n++, word);
        word = strtok(NULL, " ,;");
    }
    for (char *part = strtok(path, "/"); part; part = strtok(NULL, "/"))
        printf("[%s]", part);
    printf("\n%d %d\n", n, path[4] == '\0');
    return 0;
}
