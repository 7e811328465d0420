/* The sum of an array. */
int array_sum(const int a[4])
{
    int s = 0;
    for (int i = 0; i < 4; i++) {
        s = s + a[i];
        i++;
    }
    return s;
}
