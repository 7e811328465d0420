// Sort a list by the absolute values of its nodes; of two numbers with the same absolute value the negative one comes first.
//~ ID: L15
//~ FUNCTION: absolute_sort
//~ INPUT: 3 -1 4 1 -5
//~ INPUT: -2 2 -2
//~ INPUT: 7
//~ INPUT: 6 -5 4 -3
//~ INPUT: 1 -3 3 -3
//~ INPUT:
//~ UNSEEN: 9 8 -7 -6 5 4
//~ UNSEEN: 1 -1
//~ UNSEEN: -1 1
//~ UNSEEN: 1 -2 3 -4 5 -6
//~ UNSEEN: 0 0 -3 3 0
//~ UNSEEN: -8 8 8 -8 2 -1 0
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *head;

void push(int value)
{
    struct node *fresh = (struct node *) malloc(sizeof(struct node));

    fresh->value = value;
    fresh->next = head;
    head = fresh;
}

/* Insertion sort: takes the nodes off the old list and links them into a sorted one. */
void absolute_sort(void)
{
    struct node *sorted = NULL;
    struct node *current, *place;
    long size, other;

    while (head != NULL) {
        current = head;
        head = current->next;
        size = current->value;
        if (size < 0)
            size = -size;
        place = NULL;
        if (sorted != NULL) {
            other = sorted->value < 0 ? -(long) sorted->value : sorted->value;
            if (other < size || (other == size && sorted->value < current->value))
                place = sorted;
        }
        if (place == NULL) {
            current->next = sorted;
            sorted = current;
        } else {
            while (place->next != NULL) {
                other = place->next->value;
                if (other < 0)
                    other = -other;
                if (other > size || (other == size && place->next->value >= current->value))
                    break;
                place = place->next;
            }
            current->next = place->next;
            place->next = current;
        }
    }
    head = sorted;
}

void print_list(void)
{
    struct node *p;

    for (p = head; p != NULL; p = p->next)
        printf("%d ", p->value);
    printf("\n");
}

/* The arguments are the list; none means an empty list. */
int main(int argc, char **argv)
{
    int i;

    for (i = argc - 1; i > 0; i--)
        push(atoi(argv[i]));
    print_list();
    absolute_sort();
    print_list();
    return 0;
}
