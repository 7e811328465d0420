/* Division that rounds down for negative numbers too. */
int floor_div(int a, int b)
{
    int q = a / b;
    if (a % b != 0 && (a < 0) == (b < 0))
        q = q - 1;
    return q;
}
