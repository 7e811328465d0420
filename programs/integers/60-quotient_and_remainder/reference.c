/* Divides, with the remainder. */
void divide(int a, int b, int *quotient, int *remainder)
{
    *quotient = a / b;
    *remainder = a - *quotient * b;
}
