//! Where bytes of the user's text are after the edits, and how much changed.

use crate::helper::*;

const TEXT: &str = "void f(void) {\n    a(b);\n    c();\n    d();\n}\n";

#[test]
fn bytes_are_found_again() {
    let edits = [before("a(b)", &["x = 1;"]), replace("b", "e->g"), delete("c()"), guard("d()", "p")];
    let patched = apply(TEXT, &edits).expect("the edits fit");
    let text = String::from_utf8(patched.text.clone()).expect("the text is ASCII");
    let mapped = |what: &str| patched.map(find(TEXT, what).start).map(|new| text[new as usize..].to_string());
    assert_eq!(mapped("a(b)").as_deref(), Some(&text[text.find("a(e").expect("it is there")..]));
    assert_eq!(mapped("b)").as_deref(), Some(&text[text.find("e->g").expect("it is there")..]));
    assert_eq!(mapped("c()"), None);
    assert_eq!(mapped("d()").as_deref(), Some("d();\n}\n"));
    assert_eq!(patched.map(TEXT.len() as u32), Some(text.len() as u32));
    assert_eq!(patched.map(TEXT.len() as u32 + 1), None);
    // `x = 1 ;`, `b` to `e -> g`, `c ( ) ;` and `if ( p )`.
    assert_eq!(patched.tokens_changed(), 4 + 4 + 4 + 4);
}

#[test]
fn no_edits_change_nothing() {
    let patched = apply(TEXT, &[]).expect("there are no edits");
    assert_eq!(patched.text, TEXT.as_bytes());
    assert_eq!(patched.diff("a.c"), "");
    assert_eq!(patched.tokens_changed(), 0);
}
