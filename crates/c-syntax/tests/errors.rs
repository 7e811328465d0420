//! What is no C, what is nearly C, and what is C of an unusual form: never a
//! panic or a hang, and every error is a sentence.

use std::path::PathBuf;
use std::sync::Arc;

use c_syntax::*;
use tempfile::TempDir;

/// A file in a folder of its own.
fn file(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a file can be written");
    (folder, path)
}

fn read(bytes: impl AsRef<[u8]>) -> Result<Unit, ParseError> {
    let (_folder, path) = file("a.c", bytes.as_ref());
    with_deep_stack(|| parse(&path))
}

fn accepted(bytes: impl AsRef<[u8]>) -> Unit {
    read(bytes).unwrap_or_else(|error| panic!("{error}: {error:?}"))
}

/// Line, column and message of the first error.
fn rejected(bytes: impl AsRef<[u8]>) -> (u32, u32, String) {
    match read(bytes) {
        Err(ParseError::Rejected(diagnostics)) => {
            let first = diagnostics.into_iter().find(|d| d.severity == Severity::Error).expect("an error");
            (first.line, first.column, first.message)
        }
        other => panic!("not rejected: {other:?}"),
    }
}

/// An answer of any kind is fine, if it comes and is a sentence.
fn survives(bytes: impl AsRef<[u8]>) -> Result<Unit, String> {
    read(bytes).map_err(|error| {
        let message = error.to_string();
        assert!(message.contains(' ') && !message.contains('\n'), "no sentence: {message}");
        message
    })
}

fn warnings(unit: &Unit) -> Vec<&str> {
    unit.warnings.iter().map(|warning| warning.message.as_str()).collect()
}

/// The texts of the statements of `main`.
fn statements(unit: &Unit) -> Vec<String> {
    let main = unit.functions.iter().find(|f| &*f.name == "main").expect("a function main");
    main.body.iter().map(|statement| unit.source.text(statement.span)).collect()
}

// ----- files -----

#[test]
fn a_missing_file_is_unreadable() {
    let error = parse("/nowhere/a.c".as_ref()).expect_err("no such file");
    assert_eq!(error.to_string(), "cannot read /nowhere/a.c: No such file or directory (os error 2)");
}

#[test]
fn a_folder_is_unreadable() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let error = parse(folder.path()).expect_err("a folder");
    assert!(error.to_string().ends_with("Is a directory (os error 21)"), "{error}");
}

#[test]
fn paths_may_have_spaces_and_dashes() {
    for name in ["my list.c", "-x.c", "a:b.c", "ä ö.c", "no_ending", "header.h"] {
        let (_folder, path) = file(name, b"int main(void) { return 0; }\n");
        let unit = parse(&path).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        assert_eq!(statements(&unit), ["return 0"], "{name}");
    }
}

#[test]
fn an_empty_file_has_nothing() {
    for text in ["", "\n", "// only a comment", "#define X"] {
        let unit = accepted(text);
        assert!(unit.functions.is_empty());
    }
}

#[test]
fn a_file_without_main_is_read() {
    let unit = accepted("int f(void) { return 1; }\n");
    assert_eq!(&*unit.functions[0].name, "f");
}

#[test]
fn binary_files_are_rejected() {
    let noise: Vec<u8> = (0..4000u32).map(|i| (i.wrapping_mul(2654435761) >> 13) as u8).collect();
    assert!(survives(&noise).is_err());
    assert!(survives(b"\x7fELF\x02\x01\x01\0\0\0\0").is_err());
    assert!(survives([0u8; 100]).is_ok_and(|unit| unit.functions.is_empty()));
}

// ----- errors in the text -----

#[test]
fn errors_have_a_place_and_a_message() {
    assert_eq!(
        rejected("int main(void)\n{\n    int x = 1\n    return x;\n}\n"),
        (3, 14, "expected ';' at end of declaration".into())
    );
    assert_eq!(rejected("int main(void) { return y; }\n"), (1, 25, "use of undeclared identifier 'y'".into()));
    let (line, _, message) = rejected("struct s { int a; };\nint main(void) { struct s v; return v + 1; }\n");
    assert_eq!(line, 2);
    assert!(message.starts_with("invalid operands to binary expression"), "{message}");
    assert_eq!(
        rejected("#include <no_such_file.h>\nint main(void) { return 0; }"),
        (1, 10, "'no_such_file.h' file not found".into())
    );
    assert_eq!(rejected("int main(void) { return 0;").0, 1);
    assert_eq!(rejected("int main(void) { char *s = \"open;\n return 0; }").0, 1);
    assert_eq!(rejected("/* no end").2, "unterminated /* comment");
}

#[test]
fn the_error_counts_its_errors() {
    let error = read("int main(void) { return a + b; }").expect_err("two errors");
    assert_eq!(error.to_string(), "the C compiler found 2 errors in this file");
    let error = read("int main(void) { return a; }").expect_err("one error");
    assert_eq!(error.to_string(), "the C compiler found an error in this file");
}

// ----- old C -----

#[test]
fn old_c_is_taken_with_warnings() {
    let unit = accepted(
        "add(a, b) int a, b; { return a + b; }\nmain() { return helper(add(1, 2)); }\nhelper(n) { return n; }\n",
    );
    let text = warnings(&unit).join("\n");
    assert!(text.contains("type specifier missing, defaults to 'int'"), "{text}");
    assert!(text.contains("implicit declaration of function 'helper'"), "{text}");
    let add = unit.functions.iter().find(|f| &*f.name == "add").expect("the function add");
    assert_eq!(unit.types.declare(add.ty, "add"), "int add(int, int)");
}

#[test]
fn a_function_called_before_its_definition_may_return_nothing() {
    let text = "int main(void) { int a = 1, b = 2; swap(&a, &b); return a; }\n\
                void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }\n";
    let unit = accepted(text);
    let warned = warnings(&unit).join("\n");
    assert!(warned.contains("implicit declaration of function 'swap'"), "{warned}");
    assert!(warned.contains("conflicting types for 'swap'"), "{warned}");
    assert_eq!(statements(&unit), ["int a = 1, b = 2;", "swap(&a, &b)", "return a"]);
    // The same from memory.
    let source = Source::new("a.c", text.as_bytes().to_vec());
    assert!(parse_text(Arc::new(source)).is_ok());
}

#[test]
fn other_conflicts_stay_errors() {
    // gcc rejects these too.
    let texts = [
        "int main(void) { f(3); return 0; }\nchar *f(int n) { return 0; }\n",
        "int main(void) { f(3); return 0; }\ndouble f(int n) { return n; }\n",
        "int main(void) { f(3); return x; }\nvoid f(int n) {}\n",
        "int f(int n);\nvoid f(int n) {}\nint main(void) { return 0; }\n",
    ];
    for text in texts {
        let (_, _, message) = rejected(text);
        assert!(
            message.starts_with("conflicting types for 'f'") || message.starts_with("use of undeclared"),
            "{message}"
        );
    }
}

// ----- unusual text -----

#[test]
fn other_encodings_are_bytes() {
    let unit = accepted(b"// caf\xe9\nint main(void) { const char *s = \"\xe9\xff\"; return s[0]; } /* \xfc */\n");
    let main = unit.functions.iter().find(|f| &*f.name == "main").expect("a function main");
    let main_text = unit.source.text(main.span);
    assert!(main_text.starts_with("int main") && main_text.ends_with('}'));
    let texts = texts_of(&unit);
    assert_eq!(texts, [vec![0xe9, 0xff]]);
    let unit = accepted("int main(void) { const char *s = \"äöü €\"; return s[0]; }\n");
    assert_eq!(texts_of(&unit), ["äöü €".as_bytes().to_vec()]);
    // A byte order mark.
    assert_eq!(statements(&accepted(b"\xef\xbb\xbfint main(void) { return 0; }\n")), ["return 0"]);
}

/// The string literals that initialise the variables.
fn texts_of(unit: &Unit) -> Vec<Vec<u8>> {
    fn find(e: &Expr, texts: &mut Vec<Vec<u8>>) {
        match &e.kind {
            ExprKind::Text(bytes) => texts.push(bytes.to_vec()),
            ExprKind::Decay(inner) | ExprKind::Convert(inner) => find(inner, texts),
            _ => {}
        }
    }
    let mut texts = Vec::new();
    unit.variables.iter().filter_map(|v| v.init.as_ref()).for_each(|init| find(init, &mut texts));
    texts
}

#[test]
fn line_ends_of_windows_are_space() {
    let unit = accepted("int main(void)\r\n{\r\n    int x = 1;\r\n    return x;\r\n}\r\n");
    assert_eq!(statements(&unit), ["int x = 1;", "return x"]);
    assert_eq!(unit.source.line_text(3), "    int x = 1;");
}

#[test]
fn line_directives_do_not_move_anything() {
    let text = "#line 500 \"other.y\"\nint g;\n# 7 \"more.y\"\nstruct { int a; } unnamed;\n\
                int main(void)\n{\n#line 3\n    unnamed.a = 1;\n    return g;\n}\n";
    let unit = accepted(text);
    assert_eq!(statements(&unit), ["unnamed.a = 1", "return g"]);
    let main = unit.functions.iter().find(|f| &*f.name == "main").expect("a function main");
    assert!(main.own);
    assert_eq!(unit.source.line(main.span.start), 5);
    let unnamed = unit.variables.iter().find(|v| &*v.name == "unnamed").expect("the variable");
    assert_eq!(unit.types.size_of(unnamed.ty), 4);
}

#[test]
fn joined_lines_are_one_line() {
    let unit =
        accepted("int main(void) { int lo\\\nng_name = 4; ret\\\nurn long_name; // comment \\\n still comment\n}\n");
    assert_eq!(statements(&unit), ["int lo\\\nng_name = 4;", "ret\\\nurn long_name"]);
    assert_eq!(unit.variables.iter().filter(|v| &*v.name == "long_name").count(), 1);
    // GNU C has no trigraphs.
    assert_eq!(texts_of(&accepted("char *s = \"??/n\";")), [b"??/n".to_vec()]);
}

#[test]
fn lines_may_be_very_long() {
    let unit = accepted(format!("int main(void) {{ int x = 0; {} return x; }}", "x++; ".repeat(20_000)));
    assert_eq!(statements(&unit).len(), 20_002);
    let unit = accepted(format!("/* {} */ char *s = \"{}\";\n", "x".repeat(1_000_000), "y".repeat(300_000)));
    assert_eq!(texts_of(&unit)[0].len(), 300_000);
}

#[test]
fn a_huge_initialiser_does_not_take_all_memory() {
    let message = survives("int a[] = { [1000000000] = 9 };").expect_err("more than clang takes");
    assert!(message.contains("huge array"), "{message}");
    assert!(survives("int a[100000] = { [99999] = 9 };").is_ok());
}

// ----- nesting -----

#[test]
fn thousands_of_else_ifs_are_read() {
    let arms: String = (1..2000).map(|i| format!("else if (c == {i}) x = {i};\n")).collect();
    let unit = accepted(format!("int main(int c, char **v) {{ int x = 0;\nif (c == 0) x = 0;\n{arms}return x; }}\n"));
    assert_eq!(statements(&unit).len(), 3);
}

#[test]
fn endless_sums_are_an_error_at_worst() {
    let sum = |terms: usize| format!("int main(int c, char **v) {{ return {}; }}\n", vec!["c"; terms].join(" + "));
    assert!(survives(sum(2_000)).is_ok());
    let message = survives(sum(100_000)).expect_err("more than clang's tree can show");
    assert!(message.contains("nests too deeply"), "{message}");
}

#[test]
fn deep_nesting_is_an_error_at_worst() {
    let inside = |before: &str, times: usize, middle: &str, after: &str| {
        let (before, after) = (before.repeat(times), after.repeat(times));
        survives(format!("int main(int c, char **v) {{ {before}{middle}{after} return c; }}\n"))
    };
    assert!(inside("(", 200, "c++;", ")").is_err(), "a semicolon inside of parentheses");
    assert!(inside("{", 200, "c++;", "}").is_ok());
    for times in [1_000, 50_000] {
        assert!(inside("{", times, "c++;", "}").is_err_and(|message| message.contains("error")));
        for (before, middle, after) in [
            ("if (c) ", "c++;", ""),
            ("- ", "c;", ""),
            ("!", "c;", ""),
            ("(", "c", ");"),
            ("c[", "0", "];"),
            ("c ? 1 : ", "c;", ""),
            ("while (c) ", "c--;", ""),
            ("do ", "c--;", " while (c);"),
            ("c = ", "c;", ""),
            ("({", "c;", "});"),
        ] {
            let _ = inside(before, times, middle, after);
        }
    }
    let _ = survives(format!("int {}p; int main(void) {{ return 0; }}\n", "*".repeat(20_000)));
    let _ = survives(format!("int a{}; int main(void) {{ return 0; }}\n", "[1]".repeat(5_000)));
    let structs = |times: usize| format!("{}int x;{}", "struct {".repeat(times), "} m;".repeat(times));
    let _ = survives(format!("{}\nint main(void) {{ return 0; }}\n", structs(200)));
}
