// Loops with unsigned and size_t counters, counting down to zero, step other than one.
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *s = "unsigned";
    unsigned char c;
    unsigned steps = 0;

    for (size_t i = strlen(s); i-- > 0; )
        putchar(s[i]);
    putchar('\n');
    for (c = 250; c >= 250; c++)
        steps++;
    printf("%u %d\n", steps, c);
    for (unsigned i = 1; i; i <<= 1)
        steps++;
    printf("%u\n", steps);
    for (unsigned i = 10; i < 11; i -= 3)
        printf("%u ", i);
    printf("\n");
    return 0;
}
