//! `printf` against glibc's.

use std::ffi::CString;

use super::{Dice, Lab};

/// What our `snprintf` and glibc's give for one argument.
fn both(format: &str, value: u64, float: bool) -> (Vec<u8>, Vec<u8>) {
    let mut lab = Lab::new(b"");
    let text = lab.text(format.as_bytes());
    let room = lab.room(1 << 16);
    lab.memory.store(room, 1, 0).expect("inside");
    let count = lab.int("snprintf", &[room, 1 << 16, text, value]);
    let mut ours = lab.memory.text(room).expect("written").to_vec();
    ours.extend_from_slice(format!(" -> {count}").as_bytes());
    (ours, native(format, value, float))
}

fn native(format: &str, value: u64, float: bool) -> Vec<u8> {
    let format = CString::new(format).expect("no NUL");
    let mut buffer = vec![0u8; 1 << 16];
    let place = buffer.as_mut_ptr().cast();
    // SAFETY: the buffer has the size that is given, and the formats of these tests take one argument.
    let count = unsafe {
        match float {
            true => libc::snprintf(place, buffer.len(), format.as_ptr(), f64::from_bits(value)),
            false => libc::snprintf(place, buffer.len(), format.as_ptr(), value),
        }
    };
    let end = buffer.iter().position(|&byte| byte == 0).unwrap_or(0);
    buffer.truncate(end);
    buffer.extend_from_slice(format!(" -> {count}").as_bytes());
    buffer
}

fn check(format: &str, value: u64, float: bool) {
    let (ours, native) = both(format, value, float);
    let shown = if float { format!("{:e}", f64::from_bits(value)) } else { format!("{value:#x}") };
    assert_eq!(
        String::from_utf8_lossy(&ours),
        String::from_utf8_lossy(&native),
        "{format:?} of {shown}: ours, then glibc's"
    );
}

fn directive(dice: &mut Dice, modifiers: &[&str], conversions: &[&str]) -> String {
    let mut text = "<%".to_string();
    while dice.below(3) == 0 {
        text.push_str(dice.pick(&["-", "+", " ", "#", "0", "'"]));
    }
    if dice.below(2) == 0 {
        text.push_str(&(1 + dice.below(40)).to_string());
    }
    if dice.below(2) == 0 {
        text.push('.');
        text.push_str(dice.pick(&["", "0", "1", "2", "3", "5", "8", "16", "17", "25", "40", "400"]));
    }
    text + dice.pick(modifiers) + dice.pick(conversions) + ">"
}

#[test]
fn integers_look_as_in_glibc() {
    let mut dice = Dice(1);
    for _ in 0..8000 {
        let format = directive(&mut dice, &["", "h", "hh", "l", "ll", "z", "t", "j"], &["d", "i", "u", "x", "X", "o"]);
        let value = dice.next() >> dice.below(64);
        let value = dice.pick(&[value, value.wrapping_neg(), 0, 1]);
        check(&format, value, false);
    }
}

#[test]
fn characters_and_pointers_look_as_in_glibc() {
    let mut dice = Dice(2);
    for _ in 0..2000 {
        let value = 1 + dice.below(255);
        check(&directive(&mut dice, &[""], &["c"]), value, false);
        let pointer = dice.next() >> dice.below(64);
        check(&directive(&mut dice, &[""], &["p"]), dice.pick(&[pointer, 0]), false);
    }
}

/// Values where rounding is delicate.
fn float(dice: &mut Dice) -> f64 {
    let digits = dice.below(2_000_000) as f64;
    let value = match dice.below(8) {
        0 => f64::from_bits(dice.next()),
        1 => digits / 1000.0,
        2 => digits / 1024.0,
        3 => digits + 0.5,
        4 => dice.pick(&[0.0, 0.5, 1.5, 2.5, 0.125, 9.5, 99.5, 999_999.5, 9.9999995, 0.0001, 0.00009999995]),
        5 => 10f64.powi(dice.below(600) as i32 - 300),
        6 => dice.pick(&[f64::INFINITY, f64::NAN, f64::MAX, f64::MIN_POSITIVE, 5e-324, 1e15, 123_456_789.0]),
        _ => f64::from_bits(dice.next() >> 12 | dice.below(80) << 52 | 980 << 52),
    };
    if dice.flip() { -value } else { value }
}

#[test]
fn floats_look_as_in_glibc() {
    let mut dice = Dice(3);
    for _ in 0..20_000 {
        let format = directive(&mut dice, &["", "l"], &["f", "F", "e", "E", "g", "G", "a", "A"]);
        check(&format, float(&mut dice).to_bits(), true);
    }
}

#[test]
fn large_precisions_are_filled_with_zeros() {
    for format in ["%.2000f", "%.3000e", "%#.2500g", "%.2500g", "%.1500a", "%5000d", "%.5000d", "%-5000f|"] {
        let float = !format.ends_with('d');
        check(format, if float { 0.1f64.to_bits() } else { 77 }, float);
    }
}

#[test]
fn odd_formats_are_treated_as_in_glibc() {
    let odd = [
        "100%",
        "50%\n",
        "%y",
        "%5.3y!",
        "%-08y",
        "% +#'y",
        "%.y",
        "%.-5d",
        "%5%",
        "%l",
        "%hh",
        "%!",
        "%k%d",
        "%1$d %1$x",
        "%05c|",
        "%08p|",
        "%2147483d",
        "a%",
        "%",
        "%0",
        "%10",
        "%lld%",
        "%I5d",
        "%-+ #0d|",
        "%1$5.3d",
    ];
    for format in odd {
        if format != "%2147483d" {
            check(format, 65, false);
        }
    }
}

#[test]
fn strings_end_at_the_precision() {
    let mut lab = Lab::new(b"");
    let raw = lab.memory.create_with(b"abc", super::Kind::Local).expect("there is room");
    for (format, address, expected) in [
        ("%.3s|", raw, "abc|"),
        ("%.2s|", raw, "ab|"),
        ("%6.2s|", raw, "    ab|"),
        ("%-6.2s|", raw, "ab    |"),
        ("%06.2s|", raw, "    ab|"),
        ("%s|", 0, "(null)|"),
        ("%.6s|", 0, "(null)|"),
        ("%.5s|", 0, "|"),
        ("%9s|", 0, "   (null)|"),
    ] {
        let (format, before) = (lab.text(format.as_bytes()), lab.output().len());
        lab.int("printf", &[format, address]);
        assert_eq!(&lab.output()[before..], expected);
    }
    let format = lab.text(b"%s");
    let trouble = lab.call("printf", &[format, raw]).expect_err("no end");
    assert_eq!(trouble.kind, crate::FaultKind::OutOfBounds);
}

#[test]
fn a_missing_argument_is_a_mistake() {
    let mut lab = Lab::new(b"");
    let format = lab.text(b"%d %5.2f");
    let trouble = lab.call("printf", &[format, 1]).expect_err("nothing for %f");
    assert_eq!(trouble.message, "has a %5.2f with no argument for it");
    assert_eq!(trouble.kind, crate::FaultKind::Uninitialised);
}

#[test]
fn stars_take_arguments_and_n_counts() {
    let mut lab = Lab::new(b"");
    let (format, place) = (lab.text(b"%*d|%-*d|%.*f|%*d|%.*d|%n"), lab.room(4));
    let pi = std::f64::consts::PI.to_bits();
    let minus = |number: i64| (-number) as u64;
    lab.int("printf", &[format, 5, 42, 4, 7, 2, pi, minus(4), 9, minus(1), 3, place]);
    assert_eq!(lab.output(), "   42|7   |3.14|9   |3|");
    assert_eq!(lab.memory.load(place, 4), Ok(23));
}
