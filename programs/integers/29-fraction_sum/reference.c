/* The sum of two fractions. */
struct fraction { int num, den; };

struct fraction add(struct fraction f, struct fraction g)
{
    struct fraction r = { g.den * f.num, f.den };
    r.num += g.num * f.den;
    r.den *= g.den;
    return r;
}
