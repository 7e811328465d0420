/* How many elements are positive, and how many negative. */
void count_signs(const int a[3], int *positive, int *negative)
{
    *positive = (a[0] > 0) + (a[1] > 0) + (a[2] > 0);
    *negative = (a[0] < 0) + (a[1] < 0) + (a[2] < 0);
}
