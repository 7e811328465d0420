// An assert that fails.
#include <stdio.h>
#include <assert.h>

int half(int n)
{
    assert(n % 2 == 0); //~ FAULT: assert
    return n / 2;
}

int main(void)
{
    printf("%d\n", half(10));
    printf("%d\n", half(5));
    return 0;
}
