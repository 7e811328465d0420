/* How many bits of a byte are set. */
int bits(unsigned char x)
{
    int count = 0;
    while (x != 0) {
        if (x | 1)
            count++;
        x = x >> 1;
    }
    return count;
}
