/* Whether a number is prime. */
int is_prime(int n)
{
    int divisors = 0;
    for (int d = 1; d <= n; d++)
        if (n % d == 0)
            divisors++;
    return divisors == 2;
}
