// Conditional compilation: #if #ifdef #ifndef #elif #else defined(), nested, #if 0.
#include <stdio.h>

#define LEVEL 2
#define FEATURE
#if LEVEL > 1 && defined(FEATURE)
#define NAME "advanced"
#elif LEVEL == 1
#define NAME "basic"
#else
#error "no level"
#endif

#ifndef LIMIT
#define LIMIT (LEVEL * 10 + 1)
#endif

int main(void)
{
    printf("%s %d\n", NAME, LIMIT);
#if 0
    this is not C at all, is it?
#endif
#ifdef UNKNOWN
    printf("never\n");
#else
# if LIMIT % 2
    printf("odd\n");
# else
    printf("even\n");
# endif
#endif
#if UNDEFINED_IS_ZERO == 0 && !defined UNKNOWN && ('A' == 65) && (1 ? 2 : 0)
    printf("fine\n");
#endif
    return 0;
}
