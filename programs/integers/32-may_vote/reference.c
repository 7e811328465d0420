/* Who may vote: adults that are not banned. */
_Bool may_vote(int age, _Bool banned)
{
    if (banned)
        return 0;
    return age > 17;
}
