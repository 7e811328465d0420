// Variable length arrays: local, two-dimensional, as a parameter, sizeof at run time.
#include <stdio.h>

int sum(int rows, int cols, int m[rows][cols])
{
    int s = 0;

    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            s += m[i][j];
    return s;
}

int reversed(int n, const int *a)
{
    int copy[n];

    for (int i = 0; i < n; i++)
        copy[n - 1 - i] = a[i];
    return copy[0] * 10 + copy[n - 1];
}

int main(void)
{
    int a[] = { 4, 5, 6 };

    for (int n = 1; n <= 3; n++) {
        int m[n][n + 1];

        for (int i = 0; i < n; i++)
            for (int j = 0; j <= n; j++)
                m[i][j] = i + j;
        printf("%d %zu\n", sum(n, n + 1, m), sizeof m / sizeof(int));
    }
    printf("%d %d\n", reversed(3, a), reversed(2, a));
    return 0;
}
