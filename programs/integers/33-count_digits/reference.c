/* How many decimal digits a number has. */
int digits(int n)
{
    return n < 10 ? 1 : n < 100 ? 2 : 3;
}
