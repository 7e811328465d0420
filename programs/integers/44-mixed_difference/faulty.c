/* How far two numbers of different types are apart. */
long difference(short a, unsigned short b)
{
    long d = (long)a + b;
    return d < 0 ? -d : d;
}
