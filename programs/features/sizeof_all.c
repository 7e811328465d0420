// sizeof of types, expressions, arrays, strings, structs with padding; operands are not evaluated.
#include <stdio.h>
#include <stddef.h>

struct padded { char a; int b; char c; };
struct packed_well { int b; char a, c; };
struct big { char c; double d; short s; };
union u { char c[5]; int i; };

int main(void)
{
    int i = 3, a[10];
    char s[] = "hello";

    printf("%zu %zu %zu %zu %zu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(long long));
    printf("%zu %zu %zu %zu\n", sizeof(float), sizeof(double), sizeof(void *), sizeof(_Bool));
    printf("%zu %zu %zu\n", sizeof a, sizeof a / sizeof a[0], sizeof &a[0]);
    printf("%zu %zu %zu\n", sizeof s, sizeof "ab" "cd", sizeof 'x');
    printf("%zu %zu %zu %zu\n", sizeof(struct padded), sizeof(struct packed_well), sizeof(struct big), sizeof(union u));
    printf("%zu %zu %zu\n", offsetof(struct padded, b), offsetof(struct padded, c), offsetof(struct big, s));
    printf("%zu %zu %zu\n", sizeof(i + 1L), sizeof(i * 1.0), sizeof((char) 1 + (char) 1));
    printf("%zu ", sizeof(i++));
    printf("%d %d\n", i, sizeof(int) - 5 > 0);
    return 0;
}
