/* The sum of an array by a walking pointer. */
int total(const int *a)
{
    int s = 0;
    for (const int *p = a; p <= a + 3; p++)
        s += *p;
    return s;
}
