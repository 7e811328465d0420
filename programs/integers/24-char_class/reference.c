/* 1 for digits, 2 and 3 for letters, 0 for the rest. */
int class_of(char c)
{
    if (c < '0')
        return 0;
    if (c < '0' + 10)
        return 1;
    if (c < 'A')
        return 0;
    if (c < 'A' + 26)
        return 3;
    return c < 'a' || c >= 'a' + 26 ? 0 : 2;
}
