/* How far a wrapping counter has gone on since then. */
unsigned char behind(unsigned char now, unsigned char then)
{
    unsigned char d = now + then;
    return d & 0x7f;
}
