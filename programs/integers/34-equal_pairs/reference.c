/* How many pairs of elements are equal. */
int pairs(const int a[4])
{
    return (a[0] == a[1]) + (a[0] == a[2]) + (a[0] == a[3])
         + (a[1] == a[2]) + (a[1] == a[3]) + (a[2] == a[3]);
}
