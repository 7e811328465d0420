// Forward declaration of a struct and two structs that point to each other.
#include <stdio.h>
#include <stddef.h>

struct employee;

struct department {
    const char *name;
    struct employee *boss;
};

typedef struct employee Employee;

struct employee {
    int id;
    struct department *dept;
    Employee *mentor;
};

int boss_of(const Employee *e);

int main(void)
{
    struct department d = { "tools", NULL };
    Employee a = { 1, &d, NULL }, b = { 2, &d, &a };

    d.boss = &a;
    printf("%s %d %d\n", b.dept->name, boss_of(&b), b.mentor->dept->boss->id);
    b.mentor = &b;
    d.boss = &b;
    printf("%d %d\n", boss_of(&a), b.mentor->mentor->mentor->id);
    return 0;
}

int boss_of(const Employee *e)
{
    return e->dept->boss->id;
}
