// Pointer walks: ++ and -- on pointers, two pointers that meet.
#include <stdio.h>

int main(void)
{
    int a[7] = { 1, 2, 3, 4, 5, 6, 7 };
    int *lo = a, *hi = a + 6;

    while (lo < hi) {
        int t = *lo;
        *lo++ = *hi;
        *hi-- = t;
    }
    for (int *p = a; p != a + 7; ++p)
        printf("%d ", *p);
    printf("\n");
    for (int *p = a + 7; p-- != a; )
        printf("%d ", *p);
    printf("\n");
    return 0;
}
