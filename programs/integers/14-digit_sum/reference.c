/* The sum of the decimal digits. */
int digit_sum(int n)
{
    return n / 100 + n / 10 % 10 + n % 10;
}
