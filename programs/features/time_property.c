// time(NULL) and clock(): only properties are printed.
#include <stdio.h>
#include <time.h>

int main(void)
{
    time_t a = time(NULL), b;
    clock_t c = clock();

    time(&b);
    printf("%d %d %d\n", a > 1600000000, b >= a, b - a < 10);
    printf("%d %d\n", c >= 0, clock() >= c);
    printf("%.0f\n", difftime(a, a));
    return 0;
}
