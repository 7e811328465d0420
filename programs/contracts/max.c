/*@ requires n > 0 && \valid_read(a + (0 .. n - 1));
  @ assigns \nothing;
  @ ensures \forall integer k; 0 <= k < n ==> \result >= a[k];
  @ ensures \exists integer k; 0 <= k < n && \result == a[k];
  @*/
int max(const int a[], int n) {
    int i, s;
    i = 1;                             /* 1 */
    s = a[0];                          /* 2 */
    while (i < n) {                    /* 3 */
        if (s < a[i])                  /* 4 */
            s = a[i];                  /* 5 */
        i = i + 1;                     /* 6 */
    }
    return s;
}
