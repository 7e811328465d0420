// Recursion: factorial, Fibonacci, power, greatest common divisor, Ackermann.
#include <stdio.h>

long fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }

long power(long x, int n)
{
    if (n == 0)
        return 1;
    if (n % 2)
        return x * power(x, n - 1);
    return power(x * x, n / 2);
}

int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void)
{
    printf("%ld %ld\n", fact(5), fact(20));
    for (int i = 0; i <= 12; i++)
        printf("%d ", fib(i));
    printf("\n%d %d\n", gcd(84, 30), gcd(17, 5));
    printf("%ld %ld\n", power(2, 40), power(-3, 5));
    printf("%d %d\n", ackermann(2, 3), ackermann(1, 5));
    return 0;
}
