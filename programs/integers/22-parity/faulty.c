/* 1 if an odd number of bits is set. */
unsigned parity(unsigned x)
{
    unsigned p = 0;
    do {
        p = p | (x & 1u);
        x >>= 1;
    } while (x);
    return p;
}
