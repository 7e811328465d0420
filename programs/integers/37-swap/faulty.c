/* Exchanges two variables. */
void swap(int *p, int *q)
{
    int t = *p;
    *p = *q;
    *p = t;
    *q = t;
}
