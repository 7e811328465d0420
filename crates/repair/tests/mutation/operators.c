#include <assert.h>
#include <stdio.h>

#define SQUARE(x) ((x) * (x))
#define SUM x+y
#define HALF(n) (n) / 2

static const int fixed = 3;
int total;

static int mix(int x, int y, unsigned int u, long l)
{
    int z = x + y - 2, w;
    w = x - y*z + (x & 6 | y ^ 3);
    z += w << 1;
    z -= SUM * 2;
    z *= x%(y + 5);
    w = z / (y - 2 + SQUARE(x));
    u = u - 1u >> 1;
    l = l * 0x10L - HALF(z);
    if (u > 0 && l != 0)
        total++;
    --w;
    return x-1 > y ? z+w : -z - (int) (u % 7) + (int) (l & 255);
}

static int count(const char *text, char wanted)
{
    const char *p = text, *end;
    int found = 0;
    while (*p != '\0')
        p++;
    end = p;
    for (p = text; p < end && p + 1 != NULL; p++)
        if (*p == wanted || *p == 'b')
            found++;
    assert(found >= 0);
    return found + (end - text);
}

static int loop(int n, int values[])
{
    int i, j = 0, best = values[0];
    double mean = 0;
    for (i = 1; i < n; i++) {
        if (values[i] > best && !(values[i - 1] == 9))
            best = values[i];
        mean += values[i] / 2.0;
        values[j] = values[i - j];
        if (i >= 3)
            break;
    }
    do {
        j = j + 1;
        switch (j) {
        case 1:
            best += 2;
        case 2:
            continue;
        default:
            best--;
        }
    } while (j < 4 && best);
    return best + (int) mean + fixed;
}

int main(void)
{
    int values[] = { 3, 1, 4, 1, 5, 9 };
    int a = 4, b = 7;
    printf("%d\n", mix(a, b, 9u, 100L));
    printf("%d\n", mix(b, a, 0u, -3L));
    printf("%d\n", count("abracadabra", 'a'));
    printf("%d %d\n", loop(6, values), total);
    a = (b = a + 1, b ? a : 0);
    printf("%d %d\n", a, b);
    return a > b || a == b;
}
