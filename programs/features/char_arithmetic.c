// Arithmetic on characters: Caesar cipher, digit values, letter counts, number to text in any base.
#include <stdio.h>

char shift(char c, int by)
{
    if (c >= 'a' && c <= 'z')
        return 'a' + (c - 'a' + by + 26) % 26;
    return c;
}

char *to_base(unsigned n, int base, char *buffer)
{
    char *p = buffer + 33;

    *p = '\0';
    do
        *--p = "0123456789abcdef"[n % base];
    while (n /= base);
    return p;
}

int main(void)
{
    char text[] = "xyz, hello!", buffer[34];
    int counts[26] = { 0 }, value = 0;

    for (char *p = text; *p; p++)
        *p = shift(*p, 3);
    puts(text);
    for (int i = 0; text[i]; i++) {
        text[i] = shift(text[i], -3);
        if (text[i] >= 'a' && text[i] <= 'z')
            counts[text[i] - 'a']++;
    }
    printf("%s %d %d\n", text, counts['l' - 'a'], counts[0]);
    for (const char *d = "1987"; *d; d++)
        value = 10 * value + (*d - '0');
    printf("%d ", value + 1);
    printf("%s ", to_base(10, 2, buffer));
    printf("%s ", to_base(255, 16, buffer));
    printf("%s\n", to_base(0, 8, buffer));
    for (char c = 'a'; c <= 'e'; c++)
        putchar(c - 32);
    putchar('\n');
    return 0;
}
