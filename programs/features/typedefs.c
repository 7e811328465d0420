// Typedefs: of scalars, arrays, structs, pointers and function pointers.
#include <stdio.h>

typedef unsigned char byte;
typedef int triple[3];
typedef struct { int x; } box, *box_ptr;
typedef int (*binary)(int, int);
typedef binary chooser(char);
typedef const char *string;

int add(int a, int b) { return a + b; }
int mul(int a, int b) { return a * b; }

binary choose(char op)
{
    return op == '+' ? add : mul;
}

int main(void)
{
    byte b = 300 % 256;
    triple t = { 1, 2, 3 }, *pt = &t;
    box x = { 9 };
    box_ptr p = &x;
    chooser *c = choose;
    string s = "typedef";

    p->x += b;
    printf("%d %d %d %s %zu\n", b, (*pt)[2], x.x, s, sizeof(triple) / sizeof(int));
    printf("%d %d\n", choose('+')(3, 4), c('*')(3, 4));
    return 0;
}
