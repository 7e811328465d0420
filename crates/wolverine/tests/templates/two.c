#include <assert.h>

int both(int a, int b, int which)
{
    int sum = a - b, difference = a + b;
    assert(sum - a == b);
    assert(difference + b == a);
    return which ? sum : difference;
}
