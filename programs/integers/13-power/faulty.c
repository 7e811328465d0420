/* b to the n. */
int power(int b, int n)
{
    int r = 1;
    for (int i = 0; i < n; i++)
        r = r + b;
    return r;
}
