#include <assert.h>

/* How many pages of 64 bytes are needed. */
unsigned pages(unsigned short bytes)
{
    unsigned n = bytes / 64;
    assert(n * 64 >= bytes && (n == 0 || (n - 1) * 64 < bytes));
    return n;
}
