// sscanf, sprintf, snprintf: parse and format in memory, return values, truncation.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char buffer[32], name[16], op;
    int a, b, n;
    double d;

    n = sprintf(buffer, "%d-%s-%03d", 5, "mid", 7);
    printf("%s %d\n", buffer, n);
    n = sscanf("12 + 34", "%d %c %d", &a, &op, &b);
    printf("%d %d %c %d\n", n, a, op, b);
    n = sscanf("temp=36.6C", "%[^=]=%lf", name, &d);
    printf("%d %s %.1f\n", n, name, d);
    n = snprintf(buffer, 6, "%s", "truncated");
    printf("%s %d %zu\n", buffer, n, strlen(buffer));
    printf("%d %d\n", sscanf("abc", "%d", &a), sscanf("", "%d", &a));
    n = sscanf("2024-05-06", "%d-%d-%d", &a, &b, &n);
    printf("%d %d %d\n", n, a, b);
    n = 0;
    for (int i = 0; i < 4; i++)
        n += sprintf(buffer + n, "%d,", i * i);
    printf("%s\n", buffer);
    return 0;
}
