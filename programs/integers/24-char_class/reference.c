/* 1 for digits, 2 and 3 for letters, 0 for the rest. */
#include <ctype.h>

int class_of(char c)
{
    return isdigit(c) ? 1 : islower(c) ? 2 : isupper(c) ? 3 : 0;
}
