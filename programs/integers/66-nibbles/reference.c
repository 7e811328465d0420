/* The two halves of a byte. */
void nibbles(unsigned char b, int *low, int *high)
{
    *low = b % 16;
    *high = b / 16;
}
