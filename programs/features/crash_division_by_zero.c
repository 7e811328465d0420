// Division by zero in a function.
#include <stdio.h>

int average(int sum, int count)
{
    return sum / count; //~ FAULT: division-by-zero
}

int main(void)
{
    int count = 2;

    while (count >= 0) {
        printf("%d\n", average(10, count));
        count--;
    }
    return 0;
}
