/* How far a wrapping counter has gone on since then. */
unsigned char behind(unsigned char now, unsigned char then)
{
    int d = now - then;
    if (d < 0)
        d += 256;
    return d % 128;
}
