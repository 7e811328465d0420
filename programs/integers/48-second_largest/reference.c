/* The second of the elements by size; equal ones count twice. */
int second(const int a[4])
{
    for (int i = 0; i < 4; i++) {
        int before = 0;
        for (int j = 0; j < 4; j++)
            if (a[j] > a[i] || (a[j] == a[i] && j < i))
                before++;
        if (before == 1)
            return a[i];
    }
    return -1;
}
