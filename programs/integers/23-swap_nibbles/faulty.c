/* Exchanges the two halves of a byte. */
unsigned char swap_nibbles(unsigned char x)
{
    return (x >> 4) | (x >> 4);
}
