/* The largest element of an array. */
#include <assert.h>

int maximum(const int a[3])
{
    int m = a[0];
    for (int i = 1; i < 3; i++)
        if (a[i] < m)
            m = a[i];
    assert(m >= a[0] && m >= a[1] && m >= a[2]);
    assert(m == a[0] || m == a[1] || m == a[2]);
    return m;
}
