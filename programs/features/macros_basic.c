// Macros: object-like, function-like, nested, with side effects, redefined, over several lines.
#include <stdio.h>

#define SIZE 4
#define TWICE SIZE * 2
#define SQUARE(x) ((x) * (x))
#define BAD_SQUARE(x) x * x
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define FOR_EACH(i, n) for (int i = 0; i < (n); i++)
#define SWAP(type, a, b) do { \
        type swap_temp = (a); \
        (a) = (b); \
        (b) = swap_temp; \
    } while (0)
#define EMPTY

int main(void)
{
    int a[SIZE] = { 3, 1, 4, 1 }, x = 5, y = 7;

    printf("%d %d %d %d\n", SIZE, TWICE + 1, SQUARE(1 + 2), BAD_SQUARE(1 + 2));
    printf("%d\n", MAX(x++, y++));
    printf("%d %d\n", x, y);
    if (x < y)
        SWAP(int, x, y);
    else
        x = y = 0;
    FOR_EACH(i, SIZE)
        printf("%d%s", MAX(a[i], 2), i == SIZE - 1 ? "\n" : ",");
#undef SIZE
#define SIZE 100
    printf("%d %d %d\n", x, y, SIZE EMPTY);
    return 0;
}
