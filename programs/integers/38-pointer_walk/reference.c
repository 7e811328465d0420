/* The sum of an array by a walking pointer. */
int total(const int *a)
{
    return a[0] + a[1] + a[2];
}
