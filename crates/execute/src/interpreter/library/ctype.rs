//! `ctype.h`: classes of characters in the "C" locale.
//!
//! The classes are the bits of glibc's table, since programs see them: the
//! macros of `<ctype.h>` read the table, and `isalpha` returns its bit.

use super::super::memory::{Address, Trouble};
use super::{Context, Function, Outcome, address, int, take};

type Answer = Result<Outcome, Trouble>;

const UPPER: u16 = 256;
const LOWER: u16 = 512;
const ALPHA: u16 = 1024;
const DIGIT: u16 = 2048;
const XDIGIT: u16 = 4096;
const SPACE: u16 = 8192;
const PRINT: u16 = 16384;
const GRAPH: u16 = 32768;
const BLANK: u16 = 1;
const CNTRL: u16 = 2;
const PUNCT: u16 = 4;
const ALNUM: u16 = 8;

/// The functions of this file.
pub(super) const FUNCTIONS: &[(&str, Function)] = &[
    ("isupper", |_, args| class(args, UPPER)),
    ("islower", |_, args| class(args, LOWER)),
    ("isalpha", |_, args| class(args, ALPHA)),
    ("isdigit", |_, args| class(args, DIGIT)),
    ("isxdigit", |_, args| class(args, XDIGIT)),
    ("isspace", |_, args| class(args, SPACE)),
    ("isprint", |_, args| class(args, PRINT)),
    ("isgraph", |_, args| class(args, GRAPH)),
    ("isblank", |_, args| class(args, BLANK)),
    ("iscntrl", |_, args| class(args, CNTRL)),
    ("ispunct", |_, args| class(args, PUNCT)),
    ("isalnum", |_, args| class(args, ALNUM)),
    ("isascii", |_, args| int(i64::from(take::<1>(args)?[0] as i32 as u32 <= 127))),
    ("toascii", |_, args| int(take::<1>(args)?[0] as i64 & 127)),
    ("tolower", |_, args| int(lower(take::<1>(args)?[0] as i32).into())),
    ("toupper", |_, args| int(upper(take::<1>(args)?[0] as i32).into())),
    ("__ctype_b_loc", |context, _| address(class_table(context))),
    ("__ctype_tolower_loc", |context, _| address(case_table(context, "tolower table", lower))),
    ("__ctype_toupper_loc", |context, _| address(case_table(context, "toupper table", upper))),
];

fn class(args: &[u64], mask: u16) -> Answer {
    let [character] = take(args)?;
    int(i64::from(classes(character as i32) & mask))
}

/// All classes of a character, as the bits of glibc's table.
pub fn classes(character: i32) -> u16 {
    let Ok(byte @ 0..=127) = u8::try_from(character) else { return 0 };
    let bits = [
        (byte.is_ascii_uppercase(), UPPER),
        (byte.is_ascii_lowercase(), LOWER),
        (byte.is_ascii_alphabetic(), ALPHA),
        (byte.is_ascii_digit(), DIGIT),
        (byte.is_ascii_hexdigit(), XDIGIT),
        (is_space(byte), SPACE),
        (byte.is_ascii_graphic() || byte == b' ', PRINT),
        (byte.is_ascii_graphic(), GRAPH),
        (byte == b' ' || byte == b'\t', BLANK),
        (byte.is_ascii_control(), CNTRL),
        (byte.is_ascii_punctuation(), PUNCT),
        (byte.is_ascii_alphanumeric(), ALNUM),
    ];
    bits.iter().filter(|(is, _)| *is).map(|(_, bit)| bit).sum()
}

/// White space, with the vertical tab that Rust leaves out.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// glibc's tables give bytes for negative characters too, all but EOF.
fn lower(character: i32) -> i32 {
    match character {
        -128..=-2 => character + 256,
        65..=90 => character + 32,
        _ => character,
    }
}

fn upper(character: i32) -> i32 {
    match character {
        -128..=-2 => character + 256,
        97..=122 => character - 32,
        _ => character,
    }
}

/// A pointer to the entry of character 0 in the table of classes; it starts at -128.
fn class_table(context: &mut Context<'_>) -> Address {
    let entries: Vec<u8> = (-128..256).flat_map(|character| classes(character).to_le_bytes()).collect();
    let table = context.lasting("class table", &entries);
    context.lasting("class table pointer", &(table.wrapping_add(2 * 128)).to_le_bytes())
}

fn case_table(context: &mut Context<'_>, name: &str, map: fn(i32) -> i32) -> Address {
    let entries: Vec<u8> = (-128..256).flat_map(|character| map(character).to_le_bytes()).collect();
    let table = context.lasting(name, &entries);
    context.lasting(&format!("{name} pointer"), &(table.wrapping_add(4 * 128)).to_le_bytes())
}
