/* The decimal digits of a number from right to left. */
int reversed(int n)
{
    int r = n % 10;
    return r * 10 + n / 10;
}
