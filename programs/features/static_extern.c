// static functions and variables, extern declarations, tentative definitions.
#include <stdio.h>

extern int later;
static int hidden;
int tentative;
int tentative;

static void helper(void);

int main(void)
{
    extern int only_here(int);

    helper();
    helper();
    printf("%d %d %d %d\n", hidden, later, tentative, only_here(4));
    return 0;
}

static void helper(void)
{
    hidden += later;
    tentative--;
}

int later = 21;
int only_here(int n) { return n * n; }
