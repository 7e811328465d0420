/*@ requires 0 <= n && \valid(s1 + (0 .. n)) && \valid_read(s2 + (0 .. n));
  @ assigns s1[0 .. n];
  @ ensures \forall integer k; 0 <= k <= n ==> s1[k] == s2[k];
  @*/
void array_copy(int s1[], const int s2[], int n) {
    int i;
    i = 0;                             /* 1 */
    while (i <= n) {                   /* 2 */
        s1[i] = s2[i];                 /* 3 */
        i = i + 1;                     /* 4 */
    }
}
