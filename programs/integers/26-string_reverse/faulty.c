/* Reverses a string of known length. */
void reverse(char s[], int n)
{
    for (int i = 0; i < n / 2; i++) {
        char t = s[i];
        s[i] = s[n - i];
        s[n - i - 1] = t;
    }
}
