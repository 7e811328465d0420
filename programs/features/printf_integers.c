// printf: integer conversions with flags, width, precision, * and length modifiers.
#include <stdio.h>
#include <stddef.h>

int main(void)
{
    int n = 42, neg = -42;
    unsigned u = 3000000000u;
    const char *narrow = "[%hd] [%hu] [%hhd] [%hhu]\n";
    long long ll = -9000000000000000000LL;

    printf("[%d] [%i] [%5d] [%-5d] [%05d] [%+d] [% d]\n", n, neg, n, n, n, n, n);
    printf("[%5d] [%-6d] [%06d] [%.4d] [%8.4d] [%+.3d]\n", neg, neg, neg, n, n, n);
    printf("[%u] [%x] [%X] [%#x] [%#X] [%o] [%#o]\n", u, 48879, 48879, 48879, 48879, 8, 8);
    printf("[%08x] [%-8x] [%#10x] [%.6x]\n", 255, 255, 255, 255);
    printf("[%ld] [%lu] [%lld] [%llu] [%lx]\n", -5L, 5UL, ll, 18000000000000000000ull, 255L);
    printf(narrow, 70000, 70000, 300, 300);
    printf("[%zu] [%td] [%zd] [%jd]\n", (size_t) 7, (ptrdiff_t) -7, (size_t) 9, 11L);
    printf("[%*d] [%-*d] [%.*d] [%*.*d]\n", 6, n, 6, n, 4, n, 8, 3, neg);
    printf("[%c] [%3c] [%-3c] [%%] [%d]\n", 'x', 'y', 'z', 'A');
    printf("%d\n", printf("count\n"));
    return 0;
}
