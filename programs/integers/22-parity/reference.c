/* 1 if an odd number of bits is set. */
unsigned parity(unsigned x)
{
    x ^= x >> 4;
    x ^= x >> 2;
    x ^= x >> 1;
    return x & 1;
}
