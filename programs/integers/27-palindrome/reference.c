/* Whether four numbers read the same from both ends. */
int is_palindrome(const int a[4])
{
    return a[0] == a[3] && a[1] == a[2];
}
