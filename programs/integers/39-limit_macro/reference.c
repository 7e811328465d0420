/* A stock that holds at most three. */
int account(int x, int y)
{
    int first = x > 3 ? 3 : x;
    return first + y > 3 ? 3 : first + y;
}
