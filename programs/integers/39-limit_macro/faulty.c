/* A stock that holds at most three. */
#define LIMIT 4

static int stock;

static void put(int amount)
{
    stock += amount;
    if (stock > LIMIT)
        stock = LIMIT;
}

int account(int x, int y)
{
    stock = 0;
    put(x);
    put(y);
    return stock;
}
