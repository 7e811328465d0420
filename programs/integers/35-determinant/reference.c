/* The determinant of a 2x2 matrix. */
int determinant(int m[2][2])
{
    int d = 0;
    for (int i = 0; i < 2; i++)
        d += (i == 0 ? 1 : -1) * m[0][i] * m[1][1 - i];
    return d;
}
