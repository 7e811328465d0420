/* b to the n. */
int power(int b, int n)
{
    return n == 0 ? 1 : b * power(b, n - 1);
}
