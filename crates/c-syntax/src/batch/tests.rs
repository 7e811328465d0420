//! What is read together is what is read alone.

use std::fmt::Write as _;

use super::*;

/// The tree as text, without what differs from run to run: labels are named by
/// clang's ids, and the index of the table of types has no order.
fn shown(unit: &Unit) -> String {
    let (mut text, mut labels, mut is_index) = (String::new(), Vec::new(), false);
    for line in format!("{unit:#?}").lines() {
        is_index = line == "        known: {" || is_index && line != "        },";
        let label = line.trim().strip_prefix("\"Id(0x").map(str::to_string);
        match label {
            Some(label) => {
                let number = labels.iter().position(|other| *other == label).unwrap_or(labels.len());
                labels.push(label);
                let _ = writeln!(text, "label {number}");
            }
            None if is_index => {}
            None => text.push_str(&format!("{line}\n")),
        }
    }
    text
}

fn source(name: &str, text: impl Into<Vec<u8>>) -> Arc<Source> {
    Arc::new(Source::new(name, text.into()))
}

/// Reads texts together and alone, and compares.
fn same(sources: &[Arc<Source>]) {
    for (together, source) in parse(sources).into_iter().zip(sources) {
        let name = source.path.display();
        match (together, parse_alone(source)) {
            (Ok(together), Ok(alone)) => {
                let (together, alone) = (shown(&together), shown(&alone));
                let difference = together.lines().zip(alone.lines()).find(|(one, other)| one != other);
                assert!(together == alone, "{name}: {difference:?}");
            }
            (Err(together), Err(alone)) => assert_eq!(format!("{together:?}"), format!("{alone:?}"), "{name}"),
            (together, alone) => panic!("{name}: {:?} is not {:?}", together.err(), alone.err()),
        }
    }
}

/// Every so-many-th program of the collection.
fn programs(every: usize) -> Vec<Arc<Source>> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            match entry.path() {
                // The programs of `integers` are alone in their folders, so there is nothing to read together.
                path if path.join("case.json").exists() => {}
                path if path.is_dir() => folders.push(path),
                path if path.extension().is_some_and(|ending| ending == "c") => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    let read = |path: PathBuf| Arc::new(crate::read_source(&path).expect("a file"));
    files.into_iter().step_by(every).map(read).collect()
}

#[test]
fn the_trees_are_those_of_single_texts() {
    let every = std::env::var("EVERY").map_or(9, |every| every.parse().expect("a number"));
    let sources = programs(every);
    same(&sources);
    // Most of them are read together; the others have no header in common with any other.
    let together: Vec<Option<Unit>> = batches(&sources).iter().flat_map(|batch| batch.parse(&sources)).collect();
    let count = together.iter().flatten().count();
    assert!(count * 5 >= sources.len() * 4, "{count} of {}", sources.len());
}

const USES_HEADERS: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <assert.h>\n#include <time.h>\n\
    #include <ctype.h>\n#define NOTHING NULL\nstruct node { int v; struct node *next; };\n\
    typedef struct { FILE *file; size_t n; } out;\nenum color { RED = EOF, BLUE };\n\
    static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n\
    int main(void) {\n    struct node *n = malloc(sizeof *n);\n    out o = { stdout, 1 };\n    int a[3] = { 3, 1, BLUE };\n\
    qsort(a, 3, sizeof a[0], compare);\n    assert(n != NOTHING);\n    fprintf(o.file, \"%s:%d %d\\\\n\", __FILE__, __LINE__, a[0]);\n\
    if (isdigit('1')) goto end;\n    fputs(\"x\", stderr);\nend:\n    return errors(RED);\n}\nint errors(int n) { return n; }\n";

/// Texts of one file, the second with `end` at its end.
fn texts(end: &str) -> Vec<Arc<Source>> {
    let text = |number: usize| {
        let end = if number == 1 { end } else { "" };
        source("a.c", format!("{USES_HEADERS}int number = {number};\n{end}"))
    };
    (0..6).map(text).collect()
}

#[test]
fn headers_are_used_as_before() {
    let sources = texts("");
    same(&sources);
    let batch = batches(&sources).swap_remove(0);
    assert!(batch.parse(&sources).iter().all(Option::is_some), "nothing has to be read alone");
}

#[test]
fn what_only_headers_know_is_read_alone() {
    let members = "int f(struct tm *t) { div_t d = div(3, 2); return t->tm_year + d.quot; }\n";
    let constants = "int g(int c) { return _ISdigit; }\ntypedef __typeof__(div(1, 2)) mine;\nmine m;\n";
    for end in [members, constants, "struct tm now = { 1 };\n", "extern int printf(const char *, ...);\n"] {
        same(&texts(end));
    }
}

#[test]
fn an_error_is_of_its_own_text() {
    let sources = texts("int wrong = ;\n");
    same(&sources);
    let answers = parse(&sources);
    let Err(ParseError::Rejected(said)) = &answers[1] else { panic!("not rejected") };
    let error = said.iter().find(|said| said.severity == Severity::Error).expect("an error");
    let file = sources[1].path.to_string_lossy();
    assert_eq!((error.message.as_str(), error.file.as_str(), error.column), ("expected expression", &*file, 13));
    assert!(answers.iter().enumerate().all(|(number, answer)| answer.is_ok() == (number != 1)));
}

#[test]
fn what_clang_does_not_survive_is_of_its_own_text() {
    for end in [
        "#include <no_such_file.h>\n",
        "int huge[] = { [1000000000] = 9 };\n",
        "#pragma GCC diagnostic ignored \"-Wimplicit-function-declaration\"\nint h(void) { return k(); }\n",
        "void late(void) { later(1); }\nvoid later(int n) {}\n",
        "#line 3 \"other.y\"\nint h(void) { return k(); }\n",
        "#warning here\n",
    ] {
        same(&texts(end));
    }
    let many: String = (0..30).map(|number| format!("int e{number} = x{number};\n")).collect();
    same(&texts(&many));
}

#[test]
fn headers_beside_the_file_are_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let header = folder.path().join("own.h");
    std::fs::write(&header, "enum { OWN = 1 };\n").expect("a file");
    for include in ["#include \"own.h\"\n", "#include <own.h>\n"] {
        let text =
            |number| source(&folder.path().join("a.c").to_string_lossy(), format!("{include}int n = OWN + {number};"));
        let sources: Vec<_> = (0..5).map(text).collect();
        same(&sources);
        // A header that changes is read again.
        std::fs::write(&header, "enum { FIRST, SECOND, OWN };\n").expect("a file");
        same(&sources);
    }
}

#[test]
fn texts_that_reach_beyond_themselves_are_known() {
    for text in ["#include <stdio.h>\nint x;", "# define A # x\n#if A\n#endif", "char *s = \"#pragma\";", ""] {
        assert!(stands_alone(text.as_bytes()), "{text}");
    }
    for text in [
        "#include \"a.h\"\n",
        "#pragma GCC diagnostic ignored \"-Wall\"\n",
        "  # /**/ pragma once",
        "/* */ #line 3",
        "# 7 \"a.y\"\n",
        "#pra\\\ngma once\n",
        "_Pragma(\"once\")",
        "#include A\n",
    ] {
        assert!(!stands_alone(text.as_bytes()), "{text}");
    }
}
