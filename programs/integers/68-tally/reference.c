/* How many numbers pass, and the best of them. */
void tally(const int a[3], int limit, int *passed, int *best)
{
    *passed = 0;
    *best = 0;
    for (int i = 2; i >= 0; i--) {
        if (a[i] < limit)
            continue;
        (*passed)++;
        if (*best < a[i])
            *best = a[i];
    }
}
