// Mutual recursion: even and odd, and a small recursive descent parser.
#include <stdio.h>

int odd(unsigned n);
int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }

const char *in;
int expr(void);

int factor(void)
{
    int v = 0;

    if (*in == '(') {
        in++;
        v = expr();
        in++;
        return v;
    }
    if (*in == '-') {
        in++;
        return -factor();
    }
    while (*in >= '0' && *in <= '9')
        v = v * 10 + *in++ - '0';
    return v;
}

int term(void)
{
    int v = factor();

    while (*in == '*' || *in == '/')
        if (*in++ == '*')
            v *= factor();
        else
            v /= factor();
    return v;
}

int expr(void)
{
    int v = term();

    while (*in == '+' || *in == '-')
        v = *in++ == '+' ? v + term() : v - term();
    return v;
}

int main(void)
{
    printf("%d %d %d\n", even(10), odd(10), odd(7));
    in = "2*(3+4)-10/3";
    printf("%d\n", expr());
    in = "-(1-5)*-12";
    printf("%d\n", expr());
    return 0;
}
