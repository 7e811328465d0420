/* Who may vote: adults that are not banned. */
_Bool may_vote(int age, _Bool banned)
{
    return age >= 18 && banned;
}
