// printf: floating conversions with flags, width and precision.
#include <stdio.h>

int main(void)
{
    double pi = 3.14159265358979;

    printf("[%f] [%.2f] [%8.3f] [%-8.3f] [%08.3f] [%+.1f] [% .1f]\n", pi, pi, pi, pi, pi, pi, pi);
    printf("[%5.2f] [%5.2f] [%.0f] [%#.0f]\n", 1234.5678, -1.0, 2.5, 3.0);
    printf("[%e] [%.2e] [%E] [%12.3e]\n", 12345.6789, 0.00012, 1e100, -1.5);
    printf("[%g] [%g] [%g] [%g] [%.3g] [%G]\n", 0.00001234, 1234567.0, 100.0, 0.5, 1234.5, 1e-10);
    printf("[%#g] [%.10g] [%g]\n", 1.0, 1.0 / 3, 1e300 * 10);
    printf("[%*.*f] [%lf]\n", 9, 2, pi, 2.0);
    printf("[%f] [%f] [%5f]\n", 1e20, -0.0, 0.1f);
    return 0;
}
