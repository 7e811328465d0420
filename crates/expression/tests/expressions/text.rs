//! No text makes the parser, or what follows it, panic.

use expression::{parse, parse_place_and_rest};
use proptest::prelude::*;

use crate::moment::ZOO;

const PIECES: &[&str] = &[
    "head",
    "n1",
    "n4",
    "table",
    "count",
    "->",
    ".",
    "next",
    "data",
    "[",
    "]",
    "(",
    ")",
    "*",
    "&",
    "+",
    "-",
    "~",
    "!",
    "==",
    "<",
    "<<",
    "?",
    ":",
    "&&",
    "||",
    "1",
    "0",
    "0x",
    "1e",
    "9223372036854775807",
    "-1",
    "'a'",
    "\"b\"",
    "sizeof",
    "int",
    "struct",
    "node",
    "(int)",
    "(struct node *)",
    "#",
    "main:x",
    "flags.low",
    "1.5f",
    "name",
    "greeting",
    "row",
    "words",
    "union word",
    "word",
    "/",
    "%",
    "big",
    "::",
    "ä",
    "'",
    "\"",
    "\\",
    "=",
    "++",
    ",",
    "void *",
    "[3]",
    "points",
    "BLUE",
    "LIMIT",
    "SUM",
    "ENDLESS",
    "BEGIN",
    "EMPTY",
    "NEXT",
    "WORD",
    "MISSING",
    "node_t",
    "(list_t)",
    "tiny_t",
];

fn try_everything(text: &str) {
    if let Ok(expression) = parse(text) {
        let _ = expression.text();
        let _ = expression.evaluate(&ZOO.scope());
        let _ = expression.place(&ZOO.scope());
        let _ = expression.is_true(&ZOO.scope());
        for step in (0..ZOO.program.steps.len()).step_by(9) {
            let _ = expression.check(&ZOO.program, ir::StepId(step as u32));
        }
    }
    for error in [parse(text).err(), parse_place_and_rest(text).err()].into_iter().flatten() {
        let _ = &text[error.span.start as usize..error.span.end as usize];
    }
    if let Ok((expression, rest)) = parse_place_and_rest(text) {
        assert!(text.ends_with(rest) && text.contains(expression.text()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in "\\PC{0,60}") {
        try_everything(&text);
    }

    #[test]
    fn any_pieces_are_read(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..14), spaced in any::<bool>()) {
        try_everything(&pieces.join(if spaced { " " } else { "" }));
    }

    #[test]
    fn mutated_expressions_are_read(
        base in prop::sample::select(vec![
            "head->next->data == table[count - 1] * 2",
            "(unsigned char)*(char *)&word + sizeof(struct node)",
            "flags.low ? &points[1].y : (short *)NULL",
            "main:x < -1 && !n1->next",
            "SUM * 3 == (tiny_t)-1 + PRODUCT",
            "((list_t)anything)->NEXT ? sizeof(node_t) : BLUE",
        ]),
        at in 0..50usize,
        piece in prop::sample::select(PIECES),
        remove in 0..5usize,
    ) {
        let at = at.min(base.len());
        let end = (at + remove).min(base.len());
        try_everything(&format!("{}{piece}{}", &base[..at], &base[end..]));
    }
}

#[test]
fn deep_and_long_texts_are_refused_and_not_overflown() {
    for piece in ["(", "*", "-", "!", "1+", "a[", "1?", "sizeof ", "(int)", "x.", "int(*", "(int(*", "1?2:", "1+(", "~"]
    {
        try_everything(&piece.repeat(20_000));
        try_everything(&format!("{}1", piece.repeat(20_000)));
        try_everything(&format!("{}1", piece.repeat(90)));
        try_everything(&format!("{}head", piece.repeat(390)));
    }
}
