// Static local variables keep their value; one initialised array; recursion shares them.
#include <stdio.h>

int next_id(void)
{
    static int id = 100;

    return id++;
}

const char *rotate(void)
{
    static const char *names[] = { "red", "green", "blue" };
    static int i;

    return names[i++ % 3];
}

int depth(int n)
{
    static int deepest;

    if (n > deepest)
        deepest = n;
    if (n < 5)
        depth(n + 1);
    return deepest;
}

int main(void)
{
    int a = next_id(), b = next_id();

    printf("%d %d %d\n", a, b, next_id());
    for (int i = 0; i < 4; i++)
        printf("%s ", rotate());
    for (int i = 0; i < 3; i++) {
        static int sum = 10;
        int fresh = 10;
        sum += i;
        fresh += i;
        printf("%d/%d ", sum, fresh);
    }
    printf("%d %d\n", depth(1), depth(0));
    return 0;
}
