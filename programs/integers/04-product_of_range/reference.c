/* The product of the numbers of a range; 1 if it is empty. */
int product(int from, int to)
{
    int p = 1;
    while (to >= from) {
        p *= to;
        to--;
    }
    return p;
}
