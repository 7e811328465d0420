/* Exchanges two variables. */
void swap(int *p, int *q)
{
    int sum = *p + *q;
    *p = sum - *p;
    *q = sum - *q;
}
