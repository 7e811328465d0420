/* The sum of two times in minutes. */
struct clock { int hours, minutes; };

struct clock clock_sum(int a, int b)
{
    struct clock c;
    c.minutes = (a + b) % 59;
    c.hours = (a - b) / 60;
    return c;
}
