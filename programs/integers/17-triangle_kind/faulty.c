/* The kind of a triangle by its sides. */
enum kind { NONE, EQUILATERAL, ISOSCELES, SCALENE };

enum kind kind(int a, int b, int c)
{
    if (a <= 0 || b <= 0 || c <= 0)
        return NONE;
    if (a + b < c || a + c <= b || b + c <= a)
        return NONE;
    if (a == b && b == c)
        return EQUILATERAL;
    if (a == b || b == c || a == c)
        return ISOSCELES;
    return SCALENE;
}
