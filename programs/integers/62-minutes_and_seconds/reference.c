/* Minutes and seconds of a time in seconds. */
void split(int t, int *minutes, int *seconds)
{
    int m = 0;
    while (t >= 60) {
        m++;
        t -= 60;
    }
    *minutes = m;
    *seconds = t;
}
