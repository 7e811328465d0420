/* The sum of two times in minutes. */
struct clock { int hours, minutes; };

struct clock clock_sum(int a, int b)
{
    struct clock c = { 0, a + b };
    while (c.minutes >= 60) {
        c.minutes -= 60;
        c.hours++;
    }
    return c;
}
