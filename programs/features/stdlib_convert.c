// stdlib.h: atoi atol atof strtol (bases, end pointer, errno) strtoul strtod abs labs.
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#include <limits.h>

int main(void)
{
    char *end;
    long l;

    printf("%d %d %d %d %ld %.2f\n", atoi("42"), atoi("  -7xyz"), atoi("+5"), atoi("none"), atol("9000000000"), atof("2.75e1"));
    l = strtol("123abc", &end, 10);
    printf("%ld <%s>\n", l, end);
    printf("%ld %ld %ld %ld\n", strtol("ff", NULL, 16), strtol("0x1A", NULL, 0), strtol("017", NULL, 0), strtol("1011", NULL, 2));
    l = strtol("junk", &end, 10);
    printf("%ld %s\n", l, end);
    errno = 0;
    l = strtol("99999999999999999999", NULL, 10);
    printf("%d %d\n", l == LONG_MAX, errno == ERANGE);
    double d = strtod("1.5rest", &end);
    printf("%lu %.3f <%s>\n", strtoul("4000000000", NULL, 10), d, end);
    printf("%d %d %ld\n", abs(-5), abs(5), labs(-5000000000));
    return 0;
}
