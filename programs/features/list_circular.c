// Circular list: the Josephus problem.
//~ INPUT: 7 3
//~ INPUT: 1 5
//~ INPUT: 10 2
#include <stdio.h>
#include <stdlib.h>

struct person { int id; struct person *next; };

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 5, k = argc > 2 ? atoi(argv[2]) : 2;
    struct person *last = NULL;

    for (int i = 1; i <= n; i++) {
        struct person *p = malloc(sizeof *p);
        p->id = i;
        if (last == NULL) {
            p->next = p;
        } else {
            p->next = last->next;
            last->next = p;
        }
        last = p;
    }
    while (last->next != last) {
        struct person *out;
        for (int i = 1; i < k; i++)
            last = last->next;
        out = last->next;
        last->next = out->next;
        printf("%d ", out->id);
        free(out);
    }
    printf("survivor %d\n", last->id);
    free(last);
    return 0;
}
