// assert that holds; its expression is evaluated.
#include <stdio.h>
#include <assert.h>

int checks;

int check(int ok)
{
    checks++;
    return ok;
}

int main(void)
{
    int x = 5;

    assert(x == 5);
    assert(check(x > 0) && "message");
    assert(check(1) || check(0));
    printf("%d\n", checks);
    return 0;
}
