// The comma operator: in for, in conditions, as a value, against argument commas.
#include <stdio.h>

int main(void)
{
    int a, b, c;

    a = (b = 3, c = b + 1, b * c);
    printf("%d %d %d\n", a, b, c);
    a = 1, b = 2;
    for (c = 0, a = 5; c < a; c++, a--)
        ;
    printf("%d %d\n", a, c);
    while (b++, b < 5)
        printf("%d ", b);
    printf("%d\n", (a++, b++, 9));
    printf("%d\n", (a++, a) + (b--, b));
    return 0;
}
