// Two-dimensional arrays: initialisers, transposition, rows as pointers.
#include <stdio.h>

int row_sum(const int *row, int n)
{
    int s = 0;

    while (n-- > 0)
        s += *row++;
    return s;
}

int main(void)
{
    int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    int t[3][2];
    int flat[2][2] = { 1, 2, 3 };
    char words[3][6] = { "one", "two", "three" };

    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            t[j][i] = m[i][j];
    for (int i = 0; i < 3; i++)
        printf("%d %d\n", t[i][0], t[i][1]);
    printf("%d %d\n", row_sum(m[0], 3), row_sum(m[1], 3));
    printf("%d %d %d %d\n", flat[0][0], flat[0][1], flat[1][0], flat[1][1]);
    printf("%s %s %s %zu\n", words[0], words[1], words[2], sizeof words);
    printf("%d\n", *(*(m + 1) + 2));
    return 0;
}
