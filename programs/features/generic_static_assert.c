// C11: _Generic, _Static_assert, _Alignof, _Noreturn.
//~ EXIT: 2
#include <stdio.h>
#include <stdlib.h>

#define KIND(x) _Generic((x), int: "int", double: "double", char *: "string", default: "other")

_Static_assert(sizeof(int) == 4, "int has four bytes");

_Noreturn void leave(int status)
{
    printf("leaving with %d\n", status);
    exit(status);
}

int main(void)
{
    char name[] = "n";

    printf("%s %s %s %s\n", KIND(1), KIND(2.0), KIND(name), KIND(3L));
    printf("%zu %zu %zu\n", _Alignof(char), _Alignof(int), _Alignof(double));
    leave(2);
}
