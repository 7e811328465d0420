/* Division that rounds down for negative numbers too. */
int floor_div(int a, int b)
{
    int r = (a % b + b) % b;
    return (a - r) / b;
}
