// Nested structs by value and field access through several levels.
#include <stdio.h>

struct date {
    int day, month, year;
};

struct person {
    const char *name;
    struct date born;
    struct {
        int height;
        double weight;
    } body;
};

struct date next_year(struct date d)
{
    d.year++;
    return d;
}

int main(void)
{
    struct person p = { "Ada", { 10, 12, 1815 }, { 165, 55.5 } };
    struct person q = p;
    struct date *d = &q.born;

    q.name = "Bob";
    d->day = 1;
    q.born = next_year(q.born);
    q.body.height -= 5;
    printf("%s %d.%d.%d %d %.1f\n", p.name, p.born.day, p.born.month, p.born.year, p.body.height, p.body.weight);
    printf("%s %d.%d.%d %d %.1f\n", q.name, q.born.day, q.born.month, q.born.year, q.body.height, q.body.weight);
    return 0;
}
