/* The second of the elements by size; equal ones count twice. */
int second(const int a[4])
{
    int first = a[0], second = -1;
    for (int i = 0; i < 4; i++) {
        if (a[i] > first) {
            second = first;
            first = a[i];
        } else if (a[i] < second) {
            second = a[i];
        }
    }
    return second;
}
