/* Keeps the first four halves of a number in a buffer. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define SIZE 4

int main(void)
{
    int buffer[SIZE] = { 0 };
    int used = 0;
    unsigned char wishes = __VERIFIER_nondet_uchar();
    while (wishes > 0) {
        if (used <= SIZE) {
            buffer[used] = wishes;
            used++;
        }
        wishes = wishes / 2;
    }
    for (int i = 1; i < used; i++)
        if (buffer[i] >= buffer[i - 1])
            reach_error();
    return 0;
}
