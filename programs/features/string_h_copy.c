// string.h: strlen strcpy strncpy strcat strncat strdup.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char a[32], b[8];
    char *d;

    strcpy(a, "list");
    printf("%s %zu\n", a, strlen(a));
    strcat(a, " of ");
    strcat(strcat(a, "nodes"), "!");
    printf("%s %zu\n", a, strlen(a));
    strncpy(b, a, 4);
    b[4] = '\0';
    printf("%s\n", b);
    strncpy(b, "xy", sizeof b);
    printf("%s %d %d\n", b, b[2], b[7]);
    strncat(b, "12345", 3);
    printf("%s\n", b);
    d = strdup(a);
    d[0] = 'L';
    printf("%s|%s|%d\n", a, d, d == a);
    free(d);
    return 0;
}
