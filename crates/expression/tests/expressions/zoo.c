#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int data;
    struct node *next;
};

struct point {
    short x, y;
};

typedef struct {
    double weight;
    struct point corner[3];
} shape;

union word {
    int number;
    unsigned char bytes[4];
    float real;
};

struct flags {
    unsigned low : 3;
    int sign : 4;
    unsigned wide : 32;
    struct {
        int inner;
    };
    union {
        long as_long;
        char *as_text;
    };
};

enum color { RED, GREEN, BLUE };

typedef struct node node_t;
typedef node_t *list_t;
typedef int (*operation_t)(int);
typedef int row_t[3];
typedef row_t grid_t[2];
typedef signed char tiny_t;
typedef enum { LOW = -1, HIGH } level_t;
typedef enum { WIDE = 1L << 40 } wide_t;

#define LIMIT 10        // a plain number
#define SUM count + 2   /* not in parentheses */
#define PRODUCT (LIMIT * \
                 SUM)
#define ENDLESS MIRROR + 1
#define MIRROR ENDLESS
#define BEGIN do {
#define EMPTY
#define FIRST twice(LIMIT)
#define MISSING (nowhere + 1)
#define NEXT next
#define WORD unsigned char
#define GREETING "hi"
#define INFINITY_ INT_MAX
#define SQUARE(x) ((x) * (x))
#define total 99
#define GREEN 99
#undef total

int total = 42;
unsigned int positive = 4000000000u;
long big = 9223372036854775807;
char letter = 'z';
unsigned char byte = 200;
_Bool yes = 1;
double ratio = 0.1;
float third = 1.0f / 3;
int table[5] = {10, 20, 30, 40, 50};
int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
int large[2000];
struct point points[2] = {{1, 2}, {3, 4}};
shape square = {2.5, {{1, 1}, {2, 2}, {3, 3}}};
union word word = {0x01020304};
struct flags flags;
char name[8] = "wolf";
const char *greeting = "hello";
int (*operation)(int);
struct node *head;
struct node *freed;
int *gone;
int *middle;
enum color paint = BLUE;
void *anything;
unsigned char *raw;
void *outside;
struct hidden *secret;
int single[1];
const char *beyond;

int twice(int n) {
    return 2 * n;
}

void leave(void) {
    int local = 3;
    gone = &local;
}

int work(struct node *list, int count, int *outer, char **words) {
    static int calls = 7;
    int *counter = &calls;
    int row[count];
    struct node *nothing = NULL;
    struct node *wild;
    int empty;
    int total = 1;
    int half[4];
    struct point at = {5, 6};
    struct point *where = &at;
    short *inside = &at.y;
    row[0] = 11;
    row[count - 1] = 99;
    half[1] = 8;
    struct node **link = &list->next;
    int *numbers = malloc(4 * sizeof(int));
    numbers[0] = 100;
    numbers[2] = 300;
    char *copy = malloc(6);
    strcpy(copy, "heap!");
    int *past = table + 5;
    int (*rows)[3] = grid;
    void *untyped = malloc(16);
    enum { LOCAL = 5, RED = -8 };
    typedef short local_t;
    return count; /* stop */
}

int main(int argc, char **argv) {
    int x = -1;
    head = malloc(sizeof(struct node));
    head->data = 1;
    head->next = malloc(sizeof(struct node));
    head->next->data = 2;
    head->next->next = NULL;
    freed = malloc(sizeof(struct node));
    free(freed);
    flags.low = 5;
    flags.sign = -3;
    flags.wide = 4294967295u;
    flags.inner = 17;
    flags.as_text = name;
    operation = twice;
    middle = &table[2];
    anything = head;
    raw = (unsigned char *)&total;
    leave();
    outside = stdout;
    beyond = greeting + 6;
    fflush(stdout);
    return work(head, 4, &x, argv);
}
