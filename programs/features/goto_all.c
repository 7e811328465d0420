// goto: forward, backward, out of nested loops, into a block, to a shared exit.
#include <stdio.h>

int search(int m[3][3], int key)
{
    int i, j;

    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            if (m[i][j] == key)
                goto found;
    return -1;
found:
    return 10 * i + j;
}

int main(void)
{
    int m[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } };
    int n = 0;

again:
    n++;
    if (n < 4)
        goto again;
    printf("%d %d %d\n", n, search(m, 6), search(m, 10));
    goto inside;
    if (n == 100) {
        printf("skipped\n");
inside:
        printf("inside %d\n", n);
    }
    goto end;
    printf("never\n");
end:
    return 0;
}
