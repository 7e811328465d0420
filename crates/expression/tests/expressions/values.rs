//! What expressions are worth.

use expression::{Scope, parse};

use crate::moment::{ZOO, reversal, stopped};

/// Checks lines of the form `expression => value: type`.
#[track_caller]
fn check(table: &str) {
    let wrong: Vec<String> = table
        .lines()
        .filter_map(|line| line.trim().split_once(" => "))
        .filter_map(|(text, expected)| {
            let found = ZOO.print(text.trim());
            (found != expected.trim()).then(|| format!("{text} => {found}\n    not {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn literals() {
    check(
        "
        42 => 42: int
        0x10 => 16: int
        010 => 8: int
        3000000000 => 3000000000: long
        0xffffffff => 4294967295: unsigned int
        1ul => 1: unsigned long
        'a' => 97: int
        '\\n' => 10: int
        '\\377' => -1: int
        1.5 => 1.5: double
        1.5f => 1.5: float
        \"text\" => \"text\": char *
        \"two\" \" parts\" => \"two parts\": char *
        NULL => null: void *
        null => null: void *
        true => 1: int
        false => 0: int
        ",
    );
}

#[test]
fn names() {
    check(
        "
        total => 1: int
        main:x => -1: int
        main::x => -1: int
        #1:x => -1: int
        #0:count => 4: int
        work:total => 1: int
        letter => 122: char
        calls => 7: int
        *counter => 7: int
        twice => twice(): int (int)
        operation => twice(): int (*)(int)
        operation == twice => 1: int
        operation == &twice => 1: int
        *operation => twice(): int (int)
        n1 => n1: struct node *
        n1->data => 1: int
        n1.data => 1: int
        n1 -> next . data => 2: int
        *n2 => {data: 2, next: null}: struct node
        empty => ?: int
        half => [?, 8, ?, ?]: int [4]
        head => n1: struct node *
        freed => dangling(n3): struct node *
        paint => 2: unsigned int
        nothing => null: struct node *
        gone => dangling(a local variable that is gone): int *
        ",
    );
}

#[test]
fn members_and_elements() {
    check(
        "
        table[2] => 30: int
        table[count] => 50: int
        2[table] => 30: int
        *table => 10: int
        *(table + 1) => 20: int
        grid[1][2] => 6: int
        *grid[1] => 4: int
        (*rows)[1] => 2: int
        rows[1][1] => 5: int
        grid[1] => [4, 5, 6]: int [3]
        points[1].y => 4: short
        square.corner[2].x => 3: short
        square.weight * 2 => 5: double
        where->x => 5: short
        where.y => 6: short
        at.y => 6: short
        (*where).x => 5: short
        *inside => 6: short
        inside[-1] => 5: short
        middle[1] => 40: int
        middle[-2] => 10: int
        *middle => 30: int
        &middle[1] => &table[3]: int *
        row[0] => 11: int
        row[count - 1] => 99: int
        row[1] => ?: int
        numbers[2] => 300: int
        numbers[1] => ?: int
        n4[0] => 100: int
        *n4 => 100: int
        copy[1] => 101: char
        n5[4] => 33: char
        name[0] => 119: char
        name => \"wolf\": char [8]
        *name => 119: char
        greeting[1] => 101: char
        greeting[5] => 0: char
        *greeting == 'h' => 1: int
        greeting + 2 => \"llo\": char *
        \"abc\"[1] => 98: char
        *link => n2: struct node *
        (*link)->data => 2: int
        *outer => -1: int
        outer => &main:x: int *
        flags.low => 5: unsigned int
        flags.sign => -3: int
        flags.inner => 17: int
        flags.as_text => &name: char *
        flags.as_text[1] => 111: char
        word.number => 16909060: int
        word.bytes[0] => 4: unsigned char
        large[999] => 0: int
        ",
    );
}

#[test]
fn pointers() {
    check(
        "
        &total => &work:total: int *
        *&total => 1: int
        &at.y => &work:at.y: short *
        &at => &work:at: struct point *
        &at.x => &work:at: short *
        &table[1] => &table[1]: int *
        &table => &table: int (*)[5]
        &table + 1 => &table[5]: int (*)[5]
        table + 1 => &table[1]: int *
        1 + table => &table[1]: int *
        &grid[1][1] => &grid[1][1]: int *
        &points[1].y => &points[1].y: short *
        &n1->next => &n1.next: struct node **
        &*nothing => null: struct node *
        &counter => &work:counter: int **
        &n4[2] => &n4[2]: int *
        past => &table[5]: int *
        past - table => 5: long
        past - 1 == &table[4] => 1: int
        &table[4] - middle => 2: long
        middle > table => 1: int
        middle == table + 2 => 1: int
        head == n1 => 1: int
        head != NULL => 1: int
        head->next == n1 => 0: int
        nothing == NULL => 1: int
        nothing == 0 => 1: int
        !nothing => 1: int
        !head => 0: int
        head && head->next && !head->next->next => 1: int
        freed == head => 0: int
        freed == NULL => 0: int
        anything == head => 1: int
        ((struct node *)anything)->data => 1: int
        (struct node *)anything => n1: struct node *
        (void *)0 => null: void *
        (long)nothing => 0: long
        (_Bool)head => 1: _Bool
        counter => &work:calls: int *
        &calls => &work:calls: int *
        words + 1 => &argv[1]: char **
        operation != 0 => 1: int
        ",
    );
}

#[test]
fn memory_as_another_type() {
    check(
        "
        *(unsigned char *)&word => 4: unsigned char
        *raw => 42: unsigned char
        raw[1] => 0: unsigned char
        *(unsigned *)&main:x => 4294967295: unsigned int
        *(float *)&word => 0.00000000000000000000000000000000000002387939260590663: float
        *(short *)name => 28535: short
        *(char *)&points[1].y => 4: char
        ",
    );
}

#[test]
fn arithmetic_is_c() {
    check(
        "
        7 / 2 => 3: int
        -7 / 2 => -3: int
        -7 % 3 => -1: int
        2147483647 + 1 => -2147483648: int
        positive + 1 => 4000000001: unsigned int
        positive * 2 => 3705032704: unsigned int
        big + 1 => -9223372036854775808: long
        -1 < 1u => 0: int
        -1 < (long)1u => 1: int
        (unsigned char)300 => 44: unsigned char
        (signed char)200 => -56: char
        byte + byte => 400: int
        letter + 1 => 123: int
        ~0 => -1: int
        ~0u => 4294967295: unsigned int
        -byte => -200: int
        !3 => 0: int
        1 << 31 => -2147483648: int
        1 << 33 => 2: int
        1l << 33 => 8589934592: long
        -8 >> 1 => -4: int
        positive >> 1 => 2000000000: unsigned int
        5 & 3 | 8 ^ 1 => 9: int
        1 + 2 * 3 - 4 => 3: int
        (1 + 2) * 3 => 9: int
        10 - 4 - 3 => 3: int
        1 ? 2 : 3 => 2: int
        count ? (main:x) : 3 => -1: int
        count?count:total => 4: int
        0 ? 1 : 0 ? 2 : 3 => 3: int
        1 ? 2 : 3u => 2: unsigned int
        nothing ? 1 : 0.5 => 0.5: double
        count > 3 && table[count] == 50 => 1: int
        nothing && nothing->data => 0: int
        1 || 1 / 0 => 1: int
        (int)2.9 => 2: int
        (int)-2.9 => -2: int
        (int)1e10 => -2147483648: int
        ratio * 3 => 0.30000000000000004: double
        third * 3 => 1: float
        1 / 2.0 => 0.5: double
        (float)ratio == ratio => 0: int
        yes + yes => 2: int
        (_Bool)0.5 => 1: _Bool
        flags.low - 6 => -1: int
        flags.low - 6 < 0 => 1: int
        flags.wide + 1 => 0: unsigned int
        +letter => 122: int
        paint == 2 => 1: int
        head ? head->data : 0 => 1: int
        ",
    );
}

#[test]
fn sizes() {
    check(
        "
        sizeof(int) => 4: unsigned long
        sizeof(struct node) => 16: unsigned long
        sizeof(struct node *) => 8: unsigned long
        sizeof(shape) => 24: unsigned long
        sizeof square => 24: unsigned long
        sizeof(unsigned long int) => 8: unsigned long
        sizeof(int[10]) => 40: unsigned long
        sizeof(int (*)[10]) => 8: unsigned long
        sizeof table / sizeof table[0] => 5: unsigned long
        sizeof *nothing => 16: unsigned long
        sizeof nothing->data => 4: unsigned long
        sizeof(letter + 1) => 4: unsigned long
        sizeof letter => 1: unsigned long
        sizeof \"abc\" => 4: unsigned long
        sizeof(size_t) => 8: unsigned long
        sizeof large[5000] => 4: unsigned long
        (size_t)-1 => 18446744073709551615: unsigned long
        (uint8_t)-1 => 255: unsigned char
        ",
    );
}

#[test]
fn truth() {
    let is_true = |text: &str| parse(text).unwrap().is_true(&ZOO.scope());
    assert_eq!(is_true("count == 4"), Ok(true));
    assert_eq!(is_true("head"), Ok(true));
    assert_eq!(is_true("nothing"), Ok(false));
    assert_eq!(is_true("0.0"), Ok(false));
    assert_eq!(is_true("table"), Ok(true));
    assert_eq!(is_true("operation"), Ok(true));
    assert!(is_true("at").is_err());
    assert!(is_true("empty").is_err());
}

#[test]
fn the_list_of_the_paper() {
    let moment = stopped(&reversal());
    assert_eq!(moment.print("current->next->data"), "8: int");
    assert_eq!(moment.print("n4 -> prev"), "null: struct node *");
    assert_eq!(moment.print("n3.prev == current"), "1: int");
    assert_eq!(moment.print("temp1 != NULL"), "0: int");
    assert_eq!(moment.print("temp1->next"), "`temp1` is null, so it has no `next`");
}

#[test]
fn an_outer_call_may_be_meant() {
    let outer = Scope { frame: 0, ..ZOO.scope() };
    let typed = parse("x + argc").unwrap().evaluate(&outer).unwrap();
    assert_eq!(typed.value, memory::Value::Int(1));
    assert_eq!(parse("total").unwrap().evaluate(&outer).unwrap().value, memory::Value::Int(42));
}

#[test]
fn types_are_those_of_the_program() {
    let scope = ZOO.scope();
    let evaluate = |text: &str| parse(text).unwrap().evaluate(&scope).unwrap();
    let known = evaluate("head").ty.expect("the program has it");
    assert_eq!(scope.program.types.name(known), "struct node *");
    assert_eq!(evaluate("&link").ty, None);
    assert_eq!(evaluate("&link").type_name, "struct node ***");
}
