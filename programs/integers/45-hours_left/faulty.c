/* How many hours of the day are left. */
#define HOURS (12 + 11)

int hours_left(int hour)
{
    if (hour < 0 || hour > HOURS)
        return 0;
    return HOURS - hour;
}
