// Strings and char pointers: walking, indexing, pointer into the middle, array of strings.
#include <stdio.h>

int my_strlen(const char *s)
{
    const char *p = s;

    while (*p)
        p++;
    return p - s;
}

int main(void)
{
    char buffer[] = "wolverine";
    const char *literal = "badger";
    const char *names[] = { "ant", "bee", "cat", NULL };
    char *p = buffer;

    *p = 'W';
    p[4] = '-';
    printf("%s %s %c %c\n", buffer, literal + 3, *literal, literal[5]);
    printf("%d %d\n", my_strlen(buffer), my_strlen(""));
    for (const char **n = names; *n != NULL; n++)
        printf("%s/%c ", *n, **n);
    printf("%c %zu\n", names[1][2], sizeof buffer);
    printf("%c\n", "0123456789abcdef"[11]);
    return 0;
}
