// GNU C: ?: without a middle operand evaluates its condition once.
#include <stdio.h>

int calls;

int next(void)
{
    return calls++;
}

int main(void)
{
    const char *name = NULL;

    printf("%d ", next() ?: -1);
    printf("%d ", next() ?: -1);
    printf("%d\n", calls);
    printf("%s %s\n", name ?: "nobody", "somebody" ?: "nobody");
    return 0;
}
