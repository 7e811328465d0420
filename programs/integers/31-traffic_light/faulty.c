/* Which light comes next. */
enum light { RED, GREEN, YELLOW };

enum light next(enum light now)
{
    return (now + 2) % 3;
}
