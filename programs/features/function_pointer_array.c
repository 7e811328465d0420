// Array of function pointers as a small state machine.
#include <stdio.h>

static int pos;
static const char *text = "ab12c";

static int letter(void);
static int digit(void);
static int done(void) { return -1; }

static int classify(void)
{
    char c = text[pos++];

    return c == '\0' ? 2 : c >= '0' && c <= '9' ? 1 : 0;
}

static int letter(void) { printf("L"); return classify(); }
static int digit(void) { printf("D"); return classify(); }

int main(void)
{
    int (*states[3])(void) = { letter, digit, done };
    int state = classify();

    while (state >= 0)
        state = states[state]();
    printf("\n%d %zu\n", pos, sizeof states / sizeof *states);
    return 0;
}
