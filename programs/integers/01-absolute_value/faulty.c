/* The absolute value of a number. */
int absolute(int x)
{
    if (x > 0)
        return -x;
    return x;
}
