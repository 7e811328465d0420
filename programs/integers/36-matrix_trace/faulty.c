/* The sum of the diagonal of a 3x3 matrix. */
int trace(int k)
{
    int m[3][3];
    int i, j, sum = 0;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            m[i][j] = k * i * j + j;
    for (i = 0; i < 3; i++) {
        j = 2 - i;
        sum = sum + m[i][j];
    }
    return sum;
}
