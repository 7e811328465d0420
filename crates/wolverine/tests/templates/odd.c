#include <assert.h>

/* No template of conditions knows remainders. */
int odd(unsigned char x)
{
    int is_odd = 0;
    if (x > 3)
        is_odd = 1;
    assert(is_odd == x % 2);
    return is_odd;
}
