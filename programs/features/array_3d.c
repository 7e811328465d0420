// Three-dimensional arrays: layout in memory and partial indexing.
#include <stdio.h>

int cube[2][3][4];

int main(void)
{
    int k = 0, sum = 0;
    int *p;

    for (int x = 0; x < 2; x++)
        for (int y = 0; y < 3; y++)
            for (int z = 0; z < 4; z++)
                cube[x][y][z] = k++;
    p = &cube[0][0][0];
    printf("%d %d %d\n", p[5], p[12], p[23]);
    printf("%d %d %d\n", cube[0][1][1], cube[1][0][0], cube[1][2][3]);
    for (int z = 0; z < 4; z++)
        sum += cube[1][1][z];
    printf("%d %zu %zu %zu\n", sum, sizeof cube, sizeof cube[0], sizeof cube[0][0]);
    printf("%td\n", &cube[1][2][0] - &cube[0][0][0]);
    return 0;
}
