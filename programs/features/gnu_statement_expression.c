// GNU C: statement expressions ({ ... }), in a macro, with loops and declarations inside.
#include <stdio.h>

#define MAX(a, b) ({ int _a = (a); int _b = (b); _a > _b ? _a : _b; })

int main(void)
{
    int x = 3, y = 4, total;

    printf("%d\n", MAX(x++, y++));
    printf("%d %d\n", x, y);
    total = ({ int t = 0; for (int i = 1; i <= 4; i++) t += i; t; });
    printf("%d\n", total);
    printf("%d\n", ({ total -= 3; total * 2; }));
    if (({ int z = total % 2; z; }))
        printf("odd\n");
    return 0;
}
