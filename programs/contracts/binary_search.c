/* The elements are a[1] to a[n]; the answer is the last place whose element is not larger than x, or 0. */

/*@ requires 0 <= n && \valid_read(a + (0 .. n));
  @ requires \forall integer k; 1 <= k < n ==> a[k] <= a[k + 1];
  @ assigns \nothing;
  @ ensures 0 <= \result <= n;
  @ ensures \forall integer k; 1 <= k <= \result ==> a[k] <= x;
  @ ensures \forall integer k; \result < k <= n ==> x < a[k];
  @*/
int binary_search(const int a[], int n, int x) {
    int i, j, e;
    i = 0;                             /* 1 */
    j = n + 1;                         /* 2 */
    while (i + 1 != j) {               /* 3 */
        e = (i + j) / 2;               /* 4 */
        if (a[e] <= x)                 /* 5 */
            i = e;                     /* 6 */
        else
            j = e;                     /* 7 */
    }
    return i;
}
