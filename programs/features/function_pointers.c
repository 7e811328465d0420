// Function pointers: table, callback, in a struct, returned, compared, with and without & and *.
#include <stdio.h>

int inc(int x) { return x + 1; }
int dbl(int x) { return x * 2; }
int neg(int x) { return -x; }

void apply(int *a, int n, int (*f)(int))
{
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);
}

int (*pick(int which))(int)
{
    static int (*const table[])(int) = { inc, dbl, neg };

    return which >= 0 && which < 3 ? table[which] : NULL;
}

struct op {
    const char *name;
    int (*run)(int);
};

int main(void)
{
    struct op ops[] = { { "inc", inc }, { "dbl", &dbl }, { "neg", neg } };
    int a[] = { 1, 2, 3 };
    int (*f)(int) = &inc;

    printf("%d %d %d\n", f(1), (*f)(2), (***f)(3));
    for (int i = 0; i < 3; i++) {
        apply(a, 3, ops[i].run);
        printf("%s: %d %d %d\n", ops[i].name, a[0], a[1], a[2]);
    }
    f = pick(1);
    printf("%d %d %d\n", f(21), f == dbl, pick(7) == NULL);
    printf("%d\n", pick(0)(pick(2)(5)));
    return 0;
}
