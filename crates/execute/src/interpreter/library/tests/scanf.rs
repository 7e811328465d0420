//! `scanf` against glibc's.

use std::ffi::CString;

use super::{Dice, Lab};

const ROOM: usize = 96;
const FILL: u8 = 0xa5;

/// The result, and what is in the three places that were given.
type Scanned = (i32, Vec<Vec<u8>>);

fn ours(input: &str, format: &str) -> Scanned {
    let mut lab = Lab::new(b"");
    let (text, pattern) = (lab.text(input.as_bytes()), lab.text(format.as_bytes()));
    let places = [(); 3].map(|()| lab.room(ROOM as u64));
    for place in places {
        lab.memory.write(place, &[FILL; ROOM]).expect("inside");
    }
    let count = lab.int("sscanf", &[text, pattern, places[0], places[1], places[2]]);
    (count, places.iter().map(|&place| lab.memory.bytes(place, ROOM).expect("written").to_vec()).collect())
}

fn native(input: &str, format: &str) -> Scanned {
    let (text, pattern) = (CString::new(input).expect("no NUL"), CString::new(format).expect("no NUL"));
    let mut places = vec![vec![FILL; ROOM]; 3];
    let [a, b, c] = [0, 1, 2].map(|index| places[index].as_mut_ptr());
    // SAFETY: each place is larger than anything the formats of these tests store.
    let count = unsafe { libc::sscanf(text.as_ptr(), pattern.as_ptr(), a, b, c) };
    (count, places)
}

fn check(input: &str, format: &str) {
    assert_eq!(ours(input, format), native(input, format), "{format:?} on {input:?}: ours, then glibc's");
}

#[test]
fn random_scans_end_as_in_glibc() {
    let mut dice = Dice(5);
    let words = [
        "1",
        "-5",
        "+7",
        "0x1f",
        "0x",
        "0xg",
        "077",
        "08",
        "abc",
        "a1",
        "12abc",
        "1.5",
        "-.5e3",
        "1e",
        "1e+",
        "1e+x",
        ".",
        "-",
        "+",
        "inf",
        "infinity",
        "infinit",
        "in",
        "nan",
        "nax",
        "-nan",
        "0x1.8p3",
        "0x.",
        "(nil)",
        "(nix",
        "99999999999",
        "-99999999999999999999",
        "18446744073709551616",
        "%",
        ",",
        "x",
        "1,2",
        "]",
        "^",
        "3.14abc",
        "1..2",
        "5-3",
        "0",
        "00",
    ];
    let gaps = ["", " ", "  ", "\n", "\t ", ",", "%"];
    let directives = [
        "%d", "%i", "%u", "%x", "%o", "%ld", "%hd", "%hhd", "%lld", "%3d", "%2i", "%1d", "%f", "%lf", "%3f", "%2lf",
        "%5le", "%g", "%s", "%3s", "%c", "%2c", "%[a-z]", "%[^,]", "%2[0-9]", "%[]x]", "%[^]]", "%[a-]", "%[-0-9.]",
        "%*d", "%*s", "%*c", "%*[a-z]", "%n", "%hhn", "%p", "%%", "x", ",", " ", "%zu", "%10[^\n]", "%4x", "%*f", "%a",
        "%y",
    ];
    for _ in 0..30_000 {
        let input: String = (0..dice.below(5)).map(|_| format!("{}{}", dice.pick(&gaps), dice.pick(&words))).collect();
        let format: String = (0..1 + dice.below(3))
            .map(|_| format!("{}{}", dice.pick(&["", "", " ", ","]), dice.pick(&directives)))
            .collect();
        check(&input, &format);
    }
}

#[test]
fn a_stream_goes_on_where_the_last_scan_stopped() {
    let mut lab = Lab::new(b"  12 abc\n-x7\n");
    let (number, word, place, text) = (lab.text(b"%d"), lab.text(b"%s"), lab.room(4), lab.room(16));
    assert_eq!(lab.int("__isoc99_scanf", &[number, place]), 1);
    assert_eq!(lab.memory.load(place, 4), Ok(12));
    assert_eq!(lab.int("scanf", &[number, place]), 0);
    assert_eq!(lab.int("scanf", &[word, text]), 1);
    assert_eq!(lab.read(text), "abc");
    assert_eq!(lab.int("getchar", &[]), i32::from(b'\n'));
    // The minus is taken before the mismatch is seen.
    assert_eq!(lab.int("scanf", &[number, place]), 0);
    assert_eq!(lab.int("getchar", &[]), i32::from(b'x'));
    assert_eq!(lab.int("scanf", &[number, place]), 1);
    assert_eq!(lab.int("scanf", &[number, place]), -1);
    let stdin = lab.stdin;
    assert_eq!(lab.int("feof", &[stdin]), 1);
}

#[test]
fn a_word_too_long_for_its_array_is_a_mistake() {
    let mut lab = Lab::new(b"abcdefgh");
    let (word, text) = (lab.text(b"%s"), lab.room(4));
    let trouble = lab.call("scanf", &[word, text]).expect_err("too long");
    assert_eq!(trouble.kind, crate::FaultKind::OutOfBounds);
}

#[test]
fn a_long_double_is_stored_in_its_own_format() {
    // The six bytes behind the ten of the number are padding.
    let number = |scanned: Scanned| (scanned.0, scanned.1[0][..10].to_vec(), scanned.1[1][..10].to_vec());
    let (input, format) = ("-2.5 1e10", "%Lf %Lg");
    assert_eq!(number(ours(input, format)), number(native(input, format)));
}

#[test]
fn m_allocates() {
    let mut lab = Lab::new(b"hello world");
    let (format, place) = (lab.text(b"%ms"), lab.room(8));
    assert_eq!(lab.int("scanf", &[format, place]), 1);
    let block = lab.memory.load(place, 8).expect("stored");
    assert_eq!(lab.read(block), "hello");
}
