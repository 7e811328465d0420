/*@ requires 0 <= left && left <= right + 1 && \valid(a + (left .. right));
  @ assigns a[left .. right];
  @ ensures \forall integer k; left <= k < right ==> a[k] <= a[k + 1];
  @ ensures \forall integer k; left <= k <= right ==>
  @   \numof(left, right, \lambda integer j; a[j] == a[k])
  @   == \numof(left, right, \lambda integer j; \old(a[j]) == a[k]);
  @*/
void quicksort(int a[], int left, int right) {
    int i, last, temp;
    if (left >= right)                 /* 1 */
        return;                        /* 2 */
    last = (left + right) / 2;         /* 3 */
    temp = a[left];                    /* 4 */
    a[left] = a[last];                 /* 5 */
    a[last] = temp;                    /* 6 */
    last = left;                       /* 7 */
    i = left + 1;
    if (a[i] < a[left]) {              /* 8 */
        last = last + 1;
        temp = a[last];
        a[last] = a[i];                /* 11 */
        a[i] = temp;
    }
    i = i + 1;
    while (i <= right) {               /* 9 */
        if (a[i] < a[left]) {          /* 10 */
            last = last + 1;
            temp = a[last];
            a[last] = a[i];            /* 13 */
            a[i] = temp;
        }
        i = i + 1;                     /* 16 */
    }
    temp = a[left];                    /* 18 */
    a[left] = a[last];
    a[last] = temp;
    quicksort(a, left, last - 1);
    quicksort(a, last + 1, right);
}
