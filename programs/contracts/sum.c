/*@ requires 0 <= n && \valid_read(a + (0 .. n - 1));
  @ requires \forall integer k; 0 <= k < n ==> -1000000 <= a[k] <= 1000000;
  @ assigns \nothing;
  @ ensures \result == \sum(0, n - 1, \lambda integer k; a[k]);
  @*/
int sum(const int a[], int n) {
    int i, s;
    i = 0;                             /* 1 */
    s = 0;                             /* 2 */
    while (i < n) {                    /* 3 */
        s = s + a[i];                  /* 4 */
        i = i + 1;                     /* 5 */
    }
    return s;
}
