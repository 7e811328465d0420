/* How many elements are positive, and how many negative. */
void count_signs(const int a[3], int *positive, int *negative)
{
    *positive = 0;
    *negative = 0;
    for (int i = 0; i < 3; i++) {
        if (a[i] >= 0)
            (*positive)++;
        if (a[i] <= 0)
            (*negative)++;
    }
}
