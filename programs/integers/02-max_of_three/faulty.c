/* The largest of three numbers. */
int max3(int a, int b, int c)
{
    int m = a;
    if (b > m)
        m = b;
    if (c < m)
        m = c;
    return m;
}
