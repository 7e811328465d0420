// An uninitialised variable decides an if.
#include <stdio.h>

int main(int argc, char **argv)
{
    int found;

    if (argc > 5)
        found = 1;
    printf("searching\n");
    if (found) //~ FAULT: uninitialised
        printf("found\n");
    else
        printf("not found\n");
    return 0;
}
