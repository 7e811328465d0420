// string.h: memcpy memmove (overlapping) memset memcmp on ints, chars and structs.
#include <stdio.h>
#include <string.h>

struct pair {
    int a, b;
};

int main(void)
{
    int a[5] = { 1, 2, 3, 4, 5 }, b[5];
    char s[] = "0123456789";
    struct pair p = { 7, 8 }, q;

    memcpy(b, a, sizeof a);
    b[0] = 9;
    printf("%d %d %d\n", a[0], b[0], b[4]);
    memmove(a + 1, a, 4 * sizeof(int));
    for (int i = 0; i < 5; i++)
        printf("%d ", a[i]);
    memmove(s, s + 3, 5);
    printf("%s\n", s);
    memset(s + 2, '*', 4);
    printf("%s\n", s);
    memset(b, 0, sizeof b);
    printf("%d\n", b[0] + b[4]);
    memset(b, -1, sizeof(int));
    printf("%d\n", b[0]);
    memcpy(&q, &p, sizeof q);
    printf("%d %d %d\n", q.a, q.b, memcmp(&p, &q, sizeof p));
    return 0;
}
