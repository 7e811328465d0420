// Pointers to arrays: rows of a matrix, pointer arithmetic by rows, as a parameter, malloced.
#include <stdio.h>
#include <stdlib.h>

void fill(int (*m)[4], int rows)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 4; j++)
            m[i][j] = i * 10 + j;
}

int main(void)
{
    int m[3][4];
    int (*row)[4] = m;
    int (*heap)[4] = malloc(2 * sizeof *heap);
    int (*whole)[3][4] = &m;

    fill(m, 3);
    fill(heap, 2);
    row++;
    printf("%d %d %d\n", (*row)[2], row[1][3], *row[-1]);
    printf("%td %zu %zu\n", row - m, sizeof *row, sizeof *whole);
    printf("%d %d\n", heap[1][1], (*whole)[2][0]);
    for (int *p = *m; p < *m + 12; p += 5)
        printf("%d ", *p);
    printf("\n");
    free(heap);
    return 0;
}
