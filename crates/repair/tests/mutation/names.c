/* Constants that have names, and functions that only compute. */
#include <stdio.h>

#define LOW 3 /* the least */
#define HIGH (40)
#define NONE -1
#define WIDE 7L
#define LETTER 'q'
#define SUM (LOW + HIGH)
#define TWICE(x) ((x) + (x))

enum color { RED, GREEN = 5, BLUE };

int table[8] = { 5, 1, 4, LOW, 9, 2, 6, 8 };
int count, shift;
long far = 7L;

int biased(void) { return shift ? count + LOW : count; }

int is_low()
{
    if (count < LOW)
        return 1;
    return table[GREEN] == BLUE || count == NONE;
}

int look(int at, int color)
{
    int RED = 2, found = NONE;
    enum { GREEN = 6 };
    if (at < 0 || at >= 8)
        return-1;
    if (color == GREEN && at != HIGH)
        found = table[at] + TWICE(LOW);
    else
        found = TWICE(3) - (count + at) * 2;
    return found == NONE ? biased() : found - RED;
}

long spread(long by)
{
    switch (by % 3) {
    case LOW:
        return WIDE;
    case 1:
        return by + 2L;
    }
    return far - WIDE;
}

int letter(int i)
{
    if (i == LETTER)
        return'b';
    return i + 'a';
}

int main(void)
{
    int i;
    for (i = 0; i < 4; i++) {
        count = i * LOW - 1;
        shift = i == 2;
        printf("%d %d %d %d ", look(i, i + GREEN - 1), is_low(), letter(i), SUM);
        printf("%ld %d\n", spread(i), table[i] > count + 1);
    }
    return BLUE - GREEN;
}
