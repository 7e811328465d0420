// calloc gives zeros, realloc keeps the contents, realloc(NULL) allocates, free(NULL) does nothing.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *a = calloc(4, sizeof(int)), capacity = 4, used = 0, ok = 1;
    char *s = realloc(NULL, 3);

    printf("%d %d\n", a[0], a[3]);
    for (int i = 0; i < 20; i++) {
        if (used == capacity) {
            capacity *= 2;
            a = realloc(a, capacity * sizeof *a);
        }
        a[used++] = i * i;
    }
    for (int i = 0; i < used; i++)
        ok = ok && a[i] == i * i;
    printf("%d %d %d %d\n", ok, used, capacity, a[19]);
    a = realloc(a, 2 * sizeof *a);
    printf("%d %d\n", a[0], a[1]);
    s[0] = 'o'; s[1] = 'k'; s[2] = 0;
    puts(s);
    free(a);
    free(s);
    free(NULL);
    return 0;
}
