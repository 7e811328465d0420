// Several statements on one line and one statement over several lines; odd spacing and comments.
#include <stdio.h>

int f(int a,
      int b /* the second */,
      int c) { int r = a; r += b; r *= c; return r; }

int main(void) { int x = 1; int y = 2; x += y; y -= x; if (x > 2) x = 10; else x = 20; printf("%d %d\n", x, y);
    int z
        = f(1,
            2,
            // a comment in between
            3)
        + 4
        * 5;
    printf
        ("%d "
         "%d\n",
         z,
         x);
    for (int i = 0; i < 3; i++) { if (i == 1) continue; printf("%d;", i); } printf("\n");
    { { x++; } } ; ; printf("%d\n", x /* nothing */ + /* here */ 0); return 0; }
