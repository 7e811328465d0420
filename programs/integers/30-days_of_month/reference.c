/* How many days a month has. */
int days(int month, _Bool leap)
{
    static const int table[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return table[month - 1] + (month == 2 && leap);
}
