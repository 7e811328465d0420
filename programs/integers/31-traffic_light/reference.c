/* Which light comes next. */
enum light { RED, GREEN, YELLOW };

enum light next(enum light now)
{
    switch (now) {
    case RED:
        return GREEN;
    case GREEN:
        return YELLOW;
    default:
        return RED;
    }
}
