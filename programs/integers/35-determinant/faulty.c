/* The determinant of a 2x2 matrix. */
int determinant(int m[2][2])
{
    return m[0][0] * m[1][1] + m[0][1] * m[1][0];
}
