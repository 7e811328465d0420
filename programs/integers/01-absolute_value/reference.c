/* The absolute value of a number. */
int absolute(int x)
{
    return x < 0 ? -x : x;
}
