// Operator precedence and associativity.
#include <stdio.h>

int main(void)
{
    int a = 2, b = 3, c = 4, arr[] = { 5, 6, 7 }, *p = arr;

    printf("%d %d %d\n", a + b * c, (a + b) * c, a - b - c);
    printf("%d %d %d\n", 100 / 10 / 2, 7 % 4 * 2, -a * -b);
    printf("%d %d %d\n", a < b == 1, a << 1 + 1, a | b & c ^ 1);
    printf("%d %d %d\n", !a == 0, ~a + 1, - -a);
    printf("%d %d\n", *p + 1, *(p + 1));
    printf("%d ", *p++);
    printf("%d ", ++*p);
    printf("%d\n", (*p)--);
    printf("%d %d\n", a ? b : c ? 1 : 0, a == 2 || b == 9 && c == 9);
    printf("%d %zu\n", sizeof a == sizeof(int), sizeof arr[0] * 2);
    printf("%d\n", a = b = c);
    a += b -= 1;
    printf("%d %d\n", a, b);
    return 0;
}
