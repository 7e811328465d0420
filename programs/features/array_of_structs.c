// Array of structs: sort by a field, copy elements, pointer walk.
#include <stdio.h>
#include <string.h>

struct item {
    char name[8];
    int price;
};

int main(void)
{
    struct item items[4] = { { "pear", 30 }, { "apple", 10 }, { "fig", 40 }, { "plum", 20 } };
    struct item *p;
    int total = 0;

    for (int i = 0; i < 4; i++) {
        for (int j = i + 1; j < 4; j++) {
            if (items[j].price < items[i].price) {
                struct item t = items[i];
                items[i] = items[j];
                items[j] = t;
            }
        }
    }
    for (p = items; p < items + 4; p++) {
        printf("%s %d\n", p->name, p->price);
        total += p->price;
    }
    strcpy((items + 2)->name, "kiwi");
    printf("%s %d %td\n", items[2].name, total, p - items);
    return 0;
}
