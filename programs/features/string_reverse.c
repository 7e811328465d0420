// Strings in place: reversal, reversal of words, palindrome, upper case, removing characters.
#include <stdio.h>
#include <string.h>

void reverse(char *from, char *to)
{
    while (from < to) {
        char c = *from;
        *from++ = *to;
        *to-- = c;
    }
}

void reverse_words(char *s)
{
    char *start = s, *p = s;

    reverse(s, s + strlen(s) - 1);
    do {
        if (*p == ' ' || *p == '\0') {
            reverse(start, p - 1);
            start = p + 1;
        }
    } while (*p++);
}

int palindrome(const char *s)
{
    size_t i = 0, j = strlen(s);

    while (i + 1 < j)
        if (s[i++] != s[--j])
            return 0;
    return 1;
}

void squeeze(char *s, char c)
{
    char *to = s;

    do
        if (*s != c)
            *to++ = *s;
    while (*s++);
}

int main(void)
{
    char a[] = "the quick brown fox", b[] = "x";

    reverse_words(a);
    puts(a);
    reverse_words(b);
    puts(b);
    squeeze(a, 'o');
    puts(a);
    printf("%d %d %d %d\n", palindrome("racecar"), palindrome("abba"), palindrome("ab"), palindrome(""));
    return 0;
}
