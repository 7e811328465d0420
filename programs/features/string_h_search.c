// string.h: strchr strrchr strstr strspn strcspn strpbrk memchr.
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *s = "the cat and the hat";
    const char *p;

    p = strchr(s, 'c');
    printf("%s %td\n", p, p - s);
    p = strrchr(s, 't');
    printf("%s %td\n", p, p - s);
    printf("%d %d\n", strchr(s, 'z') == NULL, *strchr(s, '\0') == 0);
    p = strstr(s, "the");
    printf("%td\n", p - s);
    p = strstr(p + 1, "the");
    printf("%td %d\n", p - s, strstr(s, "dog") == NULL);
    printf("%d\n", strstr(s, "") == s);
    printf("%zu %zu\n", strspn("112358x", "123456789"), strcspn("hello world", " "));
    printf("%s\n", strpbrk(s, "dn"));
    printf("%td\n", (char *) memchr(s, 'n', 19) - s);
    return 0;
}
