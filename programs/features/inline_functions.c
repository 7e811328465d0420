// inline and static inline functions.
#include <stdio.h>

static inline int square(int x) { return x * x; }
static inline void bump(int *p) { ++*p; }
extern inline int cube(int x);
inline int cube(int x) { return x * square(x); }

int main(void)
{
    int n = 3;

    bump(&n);
    printf("%d %d %d\n", square(n), cube(n), square(square(2)));
    return 0;
}
