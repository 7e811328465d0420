/* The sum of an array. */
int array_sum(const int a[4])
{
    return (a[0] + a[1]) + (a[2] + a[3]);
}
