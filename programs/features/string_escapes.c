// String literals with escapes, concatenation and embedded zero bytes.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char s[] = "tab\there\nquote\"back\\slash\n";
    char z[] = "abc\0def";
    char odd[] = "\x41\102\x43\e[\a\b\f\r\v\?";
    char chars[] = { '\'', '"', '\\', '\0' };

    printf("%s", s);
    printf("%zu %zu %s\n", sizeof z, strlen(z), z + 4);
    printf("one " "two "
           "three\n");
    for (size_t i = 0; i < strlen(odd); i++)
        printf("%d ", odd[i]);
    printf("\n%s %zu\n", chars, strlen(chars));
    printf("100%% \1012 '%c' %d %d\n", '\x7e', '\n', '\377' == -1);
    printf("spliced \
line\n");
    return 0;
}
