// atexit: functions run in reverse order after main returns.
//~ EXIT: 5
#include <stdio.h>
#include <stdlib.h>

void first(void) { printf("first registered\n"); }
void second(void) { printf("second registered\n"); }

int main(void)
{
    atexit(first);
    atexit(second);
    printf("main ends\n");
    return 5;
}
