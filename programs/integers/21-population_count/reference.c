/* How many bits of a byte are set. */
int bits(unsigned char x)
{
    int count = 0;
    for (; x; x &= x - 1)
        count++;
    return count;
}
