/* 1 + 2 + ... + n. */
int sum(int n)
{
    return n * (n + 1) / 2;
}
