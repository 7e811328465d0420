/* The nearest number of a range. */
int clamp(int x, int lo, int hi)
{
    return x < lo ? lo : x > hi ? lo : x;
}
