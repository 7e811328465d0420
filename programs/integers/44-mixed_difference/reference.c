/* How far two numbers of different types are apart. */
long difference(short a, unsigned short b)
{
    return a > (int)b ? (long)a - b : (long)b - a;
}
