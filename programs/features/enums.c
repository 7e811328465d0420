// Enums: implicit and explicit values, arithmetic, switch, as array index.
#include <stdio.h>

enum color { RED, GREEN = 5, BLUE, ALIAS = GREEN, NEGATIVE = -3, AFTER };
typedef enum { MON, TUE, WED, DAYS } day;

day next(day d)
{
    return (d + 1) % DAYS;
}

int main(void)
{
    enum color c = BLUE;
    int hours[DAYS] = { [MON] = 8, [WED] = 6 };
    day d = WED;
    enum { LOCAL = 1 << 4, BOTH = LOCAL | 3 };

    printf("%d %d %d %d %d %d\n", RED, GREEN, BLUE, ALIAS, NEGATIVE, AFTER);
    printf("%d %d %d\n", c, c == BLUE, c - 1 == ALIAS);
    printf("%d %d %d\n", hours[MON], hours[TUE], hours[d]);
    d = next(d);
    printf("%d %d %d\n", d, next(d), BOTH);
    switch (c) {
    case RED: puts("red"); break;
    case BLUE: puts("blue"); break;
    default: puts("other");
    }
    return 0;
}
