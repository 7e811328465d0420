// Error handling by return codes and a shared cleanup label.
#include <stdio.h>
#include <stdlib.h>

enum { OK, NO_INPUT, BAD_VALUE };

int process(const char *text, int *result)
{
    int status = OK, *copy = malloc(sizeof(int));

    if (text == NULL) {
        status = NO_INPUT;
        goto cleanup;
    }
    if (sscanf(text, "%d", copy) != 1) {
        status = BAD_VALUE;
        goto cleanup;
    }
    *result = *copy * 2;
cleanup:
    free(copy);
    return status;
}

int main(void)
{
    const char *inputs[] = { "21", NULL, "x" };
    int r = -1;

    for (int i = 0; i < 3; i++) {
        int status = process(inputs[i], &r);
        printf("%d %d\n", status, r);
    }
    return 0;
}
