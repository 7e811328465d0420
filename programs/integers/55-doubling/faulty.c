/* Twice a number, by a loop. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x >= 0 && x <= 10);
    int y = 0, n = x;
    while (n > 0) {
        y = y + 3;
        n = n - 1;
    }
    __VERIFIER_assert(y == 2 * x);
    return 0;
}
