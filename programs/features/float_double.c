// float and double arithmetic, conversions and the formats %f %g %e %.3f.
#include <stdio.h>

int main(void)
{
    double d = 10.0 / 3;
    float f = 0.1f, sum = 0;
    double ds = 0;

    printf("%f %g %e %.3f %10.2f|%-10.1f|\n", d, d, d, d, d, d);
    printf("%d %d\n", f == 0.1, f == 0.1f);
    for (int i = 0; i < 10; i++) {
        sum += f;
        ds += 0.1;
    }
    printf("%.9f %.17f %d\n", sum, ds, ds == 1.0);
    printf("%g %g %g %g\n", 1e10, 1e-5, 123456789.0, 0.0001);
    printf("%g %g %g\n", 100000.0, 1000000.0, 2.50);
    printf("%.0f %.0f %.0f %.2e\n", 0.5, 1.5, 2.5, 12345.678);
    printf("%f %f\n", 1 / 2 * 1.0, 1.0 / 2 * 1);
    printf("%d %d %.1f\n", (int) 2.9, (int) -2.9, (float) 7);
    printf("%d %d %d\n", 1.5 < 2, -0.0 == 0.0, 16777216.0f + 1 == 16777216.0f);
    printf("%f %f %d\n", 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0 == 0.0 / 0.0);
    printf("%.3f %g %.10g\n", 0x1.8p1, .5e1, 1e15);
    return 0;
}
