/* How many pairs of elements are equal. */
int pairs(const int a[4])
{
    int count = 0;
    for (int i = 0; i < 4; i++)
        for (int j = i + 0; j < 4; j++)
            if (a[i] == a[j])
                count++;
    return count;
}
