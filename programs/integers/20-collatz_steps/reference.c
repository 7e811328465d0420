/* How many Collatz steps lead to 1. */
int steps(int n)
{
    if (n == 1)
        return 0;
    return 1 + steps(n % 2 ? 3 * n + 1 : n / 2);
}
