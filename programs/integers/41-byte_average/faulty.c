/* The mean of two bytes, rounded down. */
unsigned char average(unsigned char a, unsigned char b)
{
    return (a + b) << 1;
}
