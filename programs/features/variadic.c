// Variadic user functions with stdarg.h: ints, doubles, strings, va_copy, vprintf.
#include <stdio.h>
#include <stdarg.h>

int sum(int n, ...)
{
    va_list ap;
    int s = 0;

    va_start(ap, n);
    while (n-- > 0)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}

void mixed(const char *kinds, ...)
{
    va_list ap, again;

    va_start(ap, kinds);
    va_copy(again, ap);
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'd': printf("%d ", va_arg(ap, int)); break;
        case 'f': printf("%.2f ", va_arg(ap, double)); break;
        case 's': printf("%s ", va_arg(ap, const char *)); break;
        case 'l': printf("%ld ", va_arg(ap, long)); break;
        }
    }
    printf("first again %d\n", va_arg(again, int));
    va_end(again);
    va_end(ap);
}

void say(const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vprintf(format, ap);
    va_end(ap);
}

int main(void)
{
    char c = 'A';
    float f = 1.5f;

    printf("%d %d\n", sum(3, 10, 20, 30), sum(0));
    mixed("dfsld", 7, 2.5, "str", 5000000000L, c);
    mixed("df", c, f);
    say("%s-%d\n", "say", 5);
    return 0;
}
