/* Fibonacci numbers by recursion. */
int fib(int n)
{
    int a = 0, b = 1;
    for (int i = 0; i < n; i++) {
        int next = a + b;
        a = b;
        b = next;
    }
    return a;
}
