// Matrix multiplication on global arrays and on a matrix of malloced rows.
#include <stdio.h>
#include <stdlib.h>

#define N 3

int a[N][N] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } };
int b[N][N] = { { 0, 1, 0 }, { 1, 0, 0 }, { 0, 0, 2 } };

int **new_matrix(int n)
{
    int **m = malloc(n * sizeof *m);

    for (int i = 0; i < n; i++)
        m[i] = calloc(n, sizeof **m);
    return m;
}

int main(void)
{
    int **c = new_matrix(N);

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            printf("%3d", c[i][j]);
        printf("\n");
    }
    for (int i = 0; i < N; i++)
        free(c[i]);
    free(c);
    return 0;
}
