// Read in front of a global array.
#include <stdio.h>

int before = 7;
int table[3] = { 1, 2, 3 };

int get(int i)
{
    return table[i - 1]; //~ FAULT: out-of-bounds
}

int main(void)
{
    printf("%d\n", get(3));
    printf("%d\n", get(0) == 12345);
    return 0;
}
