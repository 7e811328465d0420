// Global initialisers: addresses of globals, arrays of pointers and strings, linked globals, zero by default.
#include <stdio.h>

struct node { int value; struct node *next; };

int number = 6 * 7;
int *pointer = &number;
int **pointer2 = &pointer;
int table[4] = { 1, 2, 3 };
int *middle = &table[1] + 1;
char *names[] = { "zero", "one", "two" };
char greeting[] = "hi";
double ratio = 1.0 / 4;
struct node c = { 3, NULL }, b = { 2, &c }, a = { 1, &b };
struct node *list = &a;
int untouched;
struct node *nothing;
int (*printer)(const char *, ...) = printf;
int count = sizeof names / sizeof names[0];

int main(void)
{
    printf("%d %d %d %d\n", number, *pointer, **pointer2, *middle);
    printf("%d %s %s %c %d\n", table[3], names[2], greeting, *names[1], count);
    for (struct node *p = list; p; p = p->next)
        printf("%d ", p->value);
    printf("%.2f %d %d\n", ratio, untouched, nothing == NULL);
    printer("%s\n", "called through a pointer");
    return 0;
}
