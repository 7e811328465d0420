/* The mean of two bytes, rounded down. */
unsigned char average(unsigned char a, unsigned char b)
{
    return a / 2 + b / 2 + (a & b & 1);
}
