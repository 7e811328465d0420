/* The largest of three numbers. */
int max3(int a, int b, int c)
{
    if (a >= b && a >= c)
        return a;
    return b >= c ? b : c;
}
