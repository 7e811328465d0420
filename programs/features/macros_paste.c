// Macros: stringify #, paste ##, variadic macros, predefined macros.
#include <stdio.h>

#define STR(x) #x
#define XSTR(x) STR(x)
#define VERSION 12
#define MAKE(name, value) int get_##name(void) { return value; }
#define SHOW(e) printf("%s = %d\n", #e, (e))
#define LOG(fmt, ...) printf("[%s] " fmt "\n", __func__, ##__VA_ARGS__)
#define FIELD(s, n) s.f##n
#define COUNT(...) (sizeof((int []) { __VA_ARGS__ }) / sizeof(int))

MAKE(one, 1)
MAKE(two, get_one() + 1)

struct s { int f1, f2; };

int main(void)
{
    struct s s = { 10, 20 };

    printf("%s %s %s\n", STR(VERSION), XSTR(VERSION), STR(a "b" \n));
    SHOW(get_two() * 3);
    LOG("plain");
    LOG("%d and %s", 5, "five");
    printf("%d %zu\n", FIELD(s, 1) + FIELD(s, 2), COUNT(7, 8, 9));
    printf("%d %d\n", __LINE__, __STDC__);
    return 0;
}
