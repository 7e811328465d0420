// Partial initialisers: the rest is zero; strings in longer arrays; braces left out.
#include <stdio.h>

struct s { int a; char name[4]; int b[3]; };

int main(void)
{
    int a[5] = { 1, 2 };
    int z[3] = { 0 };
    char t[6] = "ab";
    char exact[3] = "xyz";
    struct s s = { 1, "q" };
    struct s flat[2] = { 1, "a", 10, 20, 30, 2, "b" };
    int m[3][2] = { { 1 }, { 2, 3 } };

    printf("%d %d %d\n", a[1], a[2], a[4]);
    printf("%d %d\n", z[0], z[2]);
    printf("%s %d %d\n", t, t[2], t[5]);
    printf("%c%c%c\n", exact[0], exact[1], exact[2]);
    printf("%d %s %d %d\n", s.a, s.name, s.name[3], s.b[2]);
    printf("%d %s %d | %d %s %d\n", flat[0].a, flat[0].name, flat[0].b[2], flat[1].a, flat[1].name, flat[1].b[0]);
    printf("%d %d %d %d\n", m[0][1], m[1][1], m[2][0], m[2][1]);
    return 0;
}
