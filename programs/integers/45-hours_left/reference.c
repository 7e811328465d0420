/* How many hours of the day are left. */
int hours_left(int hour)
{
    return hour >= 0 && hour < 24 ? 24 - hour : 0;
}
