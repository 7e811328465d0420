/* Exchanges the two halves of a byte. */
unsigned char swap_nibbles(unsigned char x)
{
    return x % 16 * 16 + x / 16;
}
