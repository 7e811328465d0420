/* 1 for digits, 2 and 3 for letters, 0 for the rest. */
int class_of(char c)
{
    if (c >= '0' && c < '9')
        return 1;
    if (c >= 'a' && c <= 'z')
        return 2;
    if (c >= 'A' && c <= 'Z')
        return 3;
    return 0;
}
