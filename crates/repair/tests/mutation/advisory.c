/* Old style, with constants in macros and conditions that are values. */
#include <stdio.h>
#include <stdlib.h>

#define CEILING 600 /* feet */
#define GAP     0x12c
#define FLOOR   (CEILING - GAP)
#define CLOSE(a, b) ((a) - (b) < GAP)
#define BOTH(a, b) a && b
#define TABLE 4

int height, rate, trust;
int limits[TABLE];

int limit(i)
int i;
{
    return limits[i];
}

int climb(other)
int other;
{
    int result, sure;
    sure = trust && (rate <= CEILING) && other > FLOOR;
    if (sure && ((trust && other != 0) || !trust)) {
        result = !(other >= limit(1)) || (CLOSE(height, other) && !(rate > limits[2]));
    } else
        result = BOTH(height > other, trust) ? rate - height + other : height<-other;
    return result;
}

int main(argc, argv)
int argc;
char *argv[];
{
    int i;
    limits[0] = 400;
    limits[1] = 500;
    limits[2] = 640;
    limits[3] = 740;
    for (i = 0; i < TABLE; i++) {
        height = 500 + 100 * i;
        rate = i * 250 - 100;
        trust = i % 2 == 1 || i > 2;
        printf("%d ", climb(700 - i * 300));
    }
    printf("\n");
    exit(0);
}
