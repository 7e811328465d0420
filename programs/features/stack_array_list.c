// Stack twice: as an array in a struct and as a linked list; evaluates postfix.
#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>

struct stack { int top; int item[16]; };
struct cell { char c; struct cell *below; };

void push(struct stack *s, int v) { s->item[s->top++] = v; }
int pop(struct stack *s) { return s->item[--s->top]; }

int postfix(const char *e)
{
    struct stack s = { 0 };

    for (; *e; e++) {
        if (isdigit(*e)) {
            push(&s, *e - '0');
        } else {
            int b = pop(&s), a = pop(&s);
            push(&s, *e == '+' ? a + b : *e == '-' ? a - b : a * b);
        }
    }
    return pop(&s);
}

int balanced(const char *e)
{
    struct cell *top = NULL;

    for (; *e; e++) {
        if (*e == '(' || *e == '[') {
            struct cell *n = malloc(sizeof *n);
            n->c = *e;
            n->below = top;
            top = n;
        } else {
            struct cell *old = top;
            if (!top || top->c != (*e == ')' ? '(' : '['))
                return 0;
            top = top->below;
            free(old);
        }
    }
    return top == NULL;
}

int main(void)
{
    printf("%d %d\n", postfix("23+4*"), postfix("95-12+*"));
    printf("%d %d %d %d\n", balanced("([])()"), balanced("([)]"), balanced("(("), balanced(""));
    return 0;
}
