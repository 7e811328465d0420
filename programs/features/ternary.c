// The conditional operator: nested, with side effects, of pointers, as an lvalue through *.
#include <stdio.h>

const char *grade(int x)
{
    return x >= 90 ? "A" : x >= 80 ? "B" : x >= 70 ? "C" : "F";
}

int main(void)
{
    int a = 1, b = 2, calls = 0;
    int *null = NULL;

    printf("%s %s %s %s\n", grade(95), grade(80), grade(75), grade(3));
    a > b ? a++ : b++;
    printf("%d %d\n", a, b);
    *(a < b ? &a : &b) = 50;
    printf("%d %d\n", a, b);
    printf("%d\n", null ? *null : -1);
    calls += (a++ > 10) ? (b--, 100) : (b++, 1);
    printf("%d %d %d\n", a, b, calls);
    printf("%.1f\n", a > 0 ? 1 : 2.5);
    printf("%d\n", (a ? 0 : 1) ? 2 : a ? 3 : 4);
    return 0;
}
