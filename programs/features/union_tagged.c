// Tagged union: an enum tells which member is valid; passed by value.
#include <stdio.h>

enum kind { INTEGER, REAL, TEXT };

struct value {
    enum kind kind;
    union {
        int i;
        double d;
        const char *s;
    } as;
};

struct value integer(int i)
{
    struct value v = { .kind = INTEGER, .as.i = i };
    return v;
}

void print(struct value v)
{
    switch (v.kind) {
    case INTEGER:
        printf("int %d\n", v.as.i);
        break;
    case REAL:
        printf("real %.2f\n", v.as.d);
        break;
    case TEXT:
        printf("text %s\n", v.as.s);
        break;
    }
}

int main(void)
{
    struct value a[3];

    a[0] = integer(42);
    a[1].kind = REAL;
    a[1].as.d = 2.75;
    a[2] = (struct value) { TEXT, { .s = "hello" } };
    for (int i = 0; i < 3; i++)
        print(a[i]);
    a[0] = a[2];
    print(a[0]);
    return 0;
}
