// time(NULL) and clock(): only properties are printed, and no time is kept in
// a variable, as no two runs have the same one.
#include <stdio.h>
#include <time.h>

int main(void)
{
    printf("%d\n", time(NULL) > 1600000000);
    printf("%d\n", time(NULL) - time(NULL) < 10);
    printf("%d\n", clock() >= 0);
    printf("%.0f\n", difftime((time_t)100, (time_t)40));
    return 0;
}
