/* Minutes and seconds of a time in seconds. */
void split(int t, int *minutes, int *seconds)
{
    *minutes = t / 61;
    *seconds = t % 59;
}
