/* The middle one of three numbers. */
int median(int a, int b, int c)
{
    return (a + b + c) / 3;
}
