/* How many days a month has. */
int days(int month, _Bool leap)
{
    switch (month) {
    case 2:
        return leap ? 29 : 27;
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    default:
        return 31;
    }
}
