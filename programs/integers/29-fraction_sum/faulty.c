/* The sum of two fractions. */
struct fraction { int num, den; };

struct fraction add(struct fraction f, struct fraction g)
{
    struct fraction r;
    r.num = f.num * g.den - g.num * f.den;
    r.den = f.den * g.den;
    return r;
}
