/* Reverses a string of known length. */
void reverse(char s[], int n)
{
    int i = 0, j = n - 1;
    while (i < j) {
        char t = s[i];
        s[i++] = s[j];
        s[j--] = t;
    }
}
