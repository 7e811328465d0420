/* The greatest common divisor by Euclid. */
int gcd(int a, int b)
{
    int d = a > b ? a : b;
    while (d > 0 && (a % d != 0 || b % d != 0))
        d--;
    return d;
}
