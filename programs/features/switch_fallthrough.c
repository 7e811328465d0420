// switch with fall-through, shared cases, default in the middle, negative and character labels.
#include <stdio.h>

int weight(int x)
{
    int w = 0;

    switch (x) {
    case 1:
        w += 1;
    case 2:
        w += 10;
        break;
    default:
        w += 1000;
    case 3:
        w += 100;
        break;
    case -4:
    case 'A':
        w = -1;
    }
    return w;
}

int main(void)
{
    int xs[] = { 1, 2, 3, -4, 65, 99 };

    for (int i = 0; i < 6; i++)
        printf("%d ", weight(xs[i]));
    printf("\n");
    switch (xs[0]) {
    case 5:
        printf("never\n");
    }
    switch (xs[5])
    case 99:
        printf("single statement\n");
    switch (3) {
        int hidden;
    case 3:
        hidden = 7;
        printf("%d\n", hidden);
    }
    return 0;
}
