/* The sum of the diagonal of a 3x3 matrix. */
int trace(int k)
{
    return 5 * k + 3;
}
