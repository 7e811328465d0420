// math.h: sqrt pow fabs floor ceil fmod sin cos exp log round.
#include <stdio.h>
#include <math.h>

int main(void)
{
    double xs[] = { -2.5, -0.4, 0.5, 2.4, 9.0 };

    for (int i = 0; i < 5; i++)
        printf("%.1f %.0f %.0f %.1f %.0f\n", xs[i], floor(xs[i]), ceil(xs[i]), fabs(xs[i]), round(xs[i]));
    printf("%.6f %.1f %.1f\n", sqrt(2), pow(2, 10), pow(9, 0.5));
    printf("%.4f %.4f %.4f %.4f\n", sin(0), cos(0), exp(1), log(10));
    printf("%.2f %.4f\n", fmod(10.5, 3), atan2(1, 1) * 4);
    printf("%d %.3f\n", (int) sqrt(49), hypot(3, 4));
    return 0;
}
