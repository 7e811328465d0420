// A loop interleaved with a switch (in the manner of Duff's device).
#include <stdio.h>

int copy(char *to, const char *from, int count)
{
    int rounds = (count + 3) / 4, n = 0;

    switch (count % 4) {
    case 0:
        do {
            *to++ = *from++;
            n++;
    case 3:
            *to++ = *from++;
            n++;
    case 2:
            *to++ = *from++;
            n++;
    case 1:
            *to++ = *from++;
            n++;
        } while (--rounds > 0);
    }
    return n;
}

int main(void)
{
    char out[16] = "...............";

    printf("%d %s\n", copy(out, "abcdefghijklmn", 10), out);
    printf("%d %s\n", copy(out, "ZYXWVU", 4), out);
    printf("%d %s\n", copy(out, "1", 1), out);
    return 0;
}
