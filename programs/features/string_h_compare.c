// string.h: strcmp strncmp memcmp, only the signs of the results.
#include <stdio.h>
#include <string.h>

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

int main(void)
{
    printf("%d %d %d\n", sign(strcmp("abc", "abd")), sign(strcmp("b", "abc")), strcmp("same", "same"));
    printf("%d %d\n", sign(strcmp("ab", "abc")), sign(strcmp("", "a")));
    printf("%d %d\n", strncmp("abcdef", "abcxyz", 3), sign(strncmp("abcdef", "abcxyz", 4)));
    printf("%d %d\n", sign(memcmp("a\0b", "a\0c", 3)), memcmp("a\0b", "a\0c", 2));
    printf("%d\n", sign(strcmp("\xff", "a")));
    if (!strcmp("yes", "yes") && strcmp("yes", "no"))
        puts("equal and not equal");
    return 0;
}
