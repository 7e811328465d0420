/* How many numbers pass, and the best of them. */
void tally(const int a[3], int limit, int *passed, int *best)
{
    int count = 1, top = 0;
    for (int i = 0; i < 3; i++) {
        if (a[i] >= limit)
            count = count + 1;
        if (a[i] >= limit && a[i] < top)
            top = a[i];
    }
    *passed = count;
    *best = top;
}
