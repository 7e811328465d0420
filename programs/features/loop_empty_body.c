// Loops with an empty body: while (*d++ = *s++); and friends.
#include <stdio.h>

char *copy(char *to, const char *from)
{
    char *d = to;

    while ((*d++ = *from++))
        ;
    return to;
}

int main(void)
{
    char buffer[20], *d = buffer;
    const char *s = "empty body", *t;
    int n, i;

    while (*d++ = *s++);
    printf("%s %td\n", buffer, d - buffer);
    printf("%s\n", copy(buffer + 2, "copied"));
    printf("%s\n", buffer);
    for (t = buffer; *t && *t != 'p'; t++);
    printf("%s\n", t);
    for (n = 0, i = 1; i <= 10; n += i++) {}
    printf("%d\n", n);
    do ; while (n-- > 50);
    printf("%d\n", n);
    return 0;
}
