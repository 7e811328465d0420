// Backtracking: the number of solutions of the queens problem, and the first one.
//~ INPUT: 6
//~ INPUT: 4
#include <stdio.h>
#include <stdlib.h>

static int board[12], solutions, n;

static int safe(int row, int col)
{
    for (int r = 0; r < row; r++)
        if (board[r] == col || abs(board[r] - col) == row - r)
            return 0;
    return 1;
}

static void place(int row)
{
    if (row == n) {
        if (solutions++ == 0) {
            for (int r = 0; r < n; r++)
                printf("%d ", board[r]);
            printf("\n");
        }
        return;
    }
    for (int col = 0; col < n; col++) {
        if (safe(row, col)) {
            board[row] = col;
            place(row + 1);
        }
    }
}

int main(int argc, char **argv)
{
    n = argc > 1 ? atoi(argv[1]) : 5;
    place(0);
    printf("%d\n", solutions);
    return 0;
}
