/* How many decimal digits a number has. */
int digits(int n)
{
    int count = 0;
    do {
        count++;
        n /= 10;
    } while (n > 1);
    return count;
}
