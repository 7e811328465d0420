/* The kind of a triangle by its sides. */
enum kind { NONE, EQUILATERAL, ISOSCELES, SCALENE };

enum kind kind(int a, int b, int c)
{
    int equal = (a == b) + (b == c) + (a == c);
    int longest = a > b ? (a > c ? a : c) : (b > c ? b : c);
    if (a < 1 || b < 1 || c < 1 || a + b + c - longest <= longest)
        return NONE;
    return equal == 3 ? EQUILATERAL : equal == 1 ? ISOSCELES : SCALENE;
}
