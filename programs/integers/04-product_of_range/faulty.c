/* The product of the numbers of a range; 1 if it is empty. */
int product(int from, int to)
{
    int p = 0;
    for (int i = from; i <= to; i++)
        p = p * i;
    return p;
}
