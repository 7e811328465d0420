/* The two halves of a byte. */
void nibbles(unsigned char b, int *low, int *high)
{
    *low = b & 7;
    *high = b >> 3;
}
