// Mixed int and floating arithmetic: usual conversions, truncation, comparison, float in conditions.
#include <stdio.h>

double average(const int *a, int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i];
    return (double) sum / n;
}

int main(void)
{
    int a[] = { 1, 2, 4 }, i = 7;
    float f = i / 2;
    double celsius = (98.6 - 32) * 5 / 9, zero = 0;

    printf("%.3f %.1f %.2f\n", average(a, 3), f, celsius);
    i = celsius / 37 * 3.999;
    f = 1 / 3.0f;
    printf("%d %.7f %d\n", i, f, f == 1 / 3.0);
    i *= 2.5;
    i += 0.9;
    printf("%d %d %d\n", i, (int) (0.1 + 0.7) * 10, (int) ((0.1 + 0.7) * 10));
    if (zero)
        printf("never\n");
    if (!zero && f)
        printf("%d\n", 'a' + 1.0 == 98);
    for (double x = 0; x < 1; x += 0.25)
        printf("%.2f ", x);
    printf("%d\n", (unsigned char) 200.7);
    return 0;
}
