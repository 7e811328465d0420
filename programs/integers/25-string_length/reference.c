/* The length of a string. */
#include <string.h>

int length(const char *s)
{
    return strlen(s);
}
