/* The sum of the decimal digits. */
int digit_sum(int n)
{
    int s = 0;
    while (n > 0) {
        s = s + n % 9;
        n = n / 10;
    }
    return s;
}
