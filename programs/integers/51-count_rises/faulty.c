/* How often an element is larger than the one before it. */
#include <assert.h>

int rises(const int a[4])
{
    int n = 0;
    for (int i = 1; i < 4; i++)
        if (a[i] > a[i])
            n++;
    assert(n == (a[1] > a[0]) + (a[2] > a[1]) + (a[3] > a[2]));
    return n;
}
