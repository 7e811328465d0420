/* Whether four numbers read the same from both ends. */
int is_palindrome(const int a[4])
{
    int i = 0, j = 3;
    while (i < j) {
        if (a[i] != a[j])
            return 0;
        i = i + 1;
        j = j + 1;
    }
    return 1;
}
