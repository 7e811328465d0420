//! The binary as people use it: what it prints, where, and its exit codes.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

struct Ran {
    status: i32,
    out: String,
    err: String,
}

fn wolverine(arguments: &[&str]) -> Ran {
    wolverine_with(arguments, "")
}

/// Runs the binary with `input` piped into it.
fn wolverine_with(arguments: &[&str], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wolverine"))
        .args(arguments)
        .current_dir(programs())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary can be started");
    // A program that reads nothing may be over before all is written.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let status = output.status.code().expect("it was not killed");
    Ran { status, out: text(output.stdout), err: text(output.stderr) }
}

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs")
}

/// A C file in a folder of its own.
fn file(text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a b.c");
    std::fs::write(&path, text).expect("a file can be written");
    let path = path.to_string_lossy().into_owned();
    (folder, path)
}

const REVERSE: &str = "small/b01_reverse_singly.c";

// ----- help and usage -----

#[test]
fn help_has_examples_and_exit_codes() {
    let ran = wolverine(&["--help"]);
    assert_eq!(ran.status, 0);
    for text in
        ["Examples:", "wolverine run list.c -- 3 1 4", "--at 24#3", "Exit codes: 0 done, 1", "trace", "picture", "ir"]
    {
        assert!(ran.out.contains(text), "no {text} in:\n{}", ran.out);
    }
    for command in ["debug", "run", "trace", "ir", "picture", "bench"] {
        let ran = wolverine(&[command, "--help"]);
        assert!(ran.status == 0 && ran.out.contains("Usage: wolverine"), "{command}: {}", ran.out);
    }
    assert!(wolverine(&["--version"]).out.starts_with("wolverine "));
}

#[test]
fn wrong_usage_has_status_2() {
    for arguments in [
        &[][..],
        &["fly"],
        &["run"],
        &["run", REVERSE, "--engine", "steam"],
        &["run", REVERSE, "--max-steps", "many"],
        &["picture", REVERSE],
    ] {
        let ran = wolverine(arguments);
        assert_eq!(ran.status, 2, "{arguments:?}");
        assert!(!ran.err.is_empty(), "{arguments:?}");
    }
}

// ----- errors are sentences -----

#[track_caller]
fn fails_with(arguments: &[&str], message: &str) {
    let ran = wolverine(arguments);
    assert_eq!((ran.status, ran.err.as_str()), (2, message), "{arguments:?}: {}", ran.out);
}

#[test]
fn unreadable_files_are_told() {
    for command in ["run", "trace", "ir"] {
        fails_with(
            &[command, "nowhere.c"],
            "wolverine: cannot read nowhere.c: No such file or directory (os error 2)\n",
        );
    }
    fails_with(&["run", "small"], "wolverine: cannot read small: Is a directory (os error 21)\n");
    for command in ["run", "trace"] {
        let message = "wolverine: cannot read nowhere: No such file or directory (os error 2)\n";
        fails_with(&[command, REVERSE, "--stdin", "nowhere"], message);
    }
}

#[test]
fn syntax_errors_have_their_place_and_a_caret() {
    let (_folder, path) = file("int main(void)\n{\n    int x = 1\n    return x;\n}\n");
    for arguments in [
        &["run", &path][..],
        &["trace", &path],
        &["ir", &path],
        &["picture", &path, "--at", "3"],
        &["check", &path],
        &["check", &path, "--function", "main"],
        &["localize", &path, "--method", "must"],
        &["repair", &path, "--method", "mutation"],
    ] {
        let place = format!("{path}:3:14: error: expected ';' at end of declaration\n");
        let caret = " 3 |     int x = 1\n   |              ^\n";
        fails_with(arguments, &format!("wolverine: the C compiler found an error in this file:\n{place}{caret}"));
    }
}

#[test]
fn warnings_and_notices_have_a_caret_and_do_not_stop() {
    let (_folder, path) = file("int main(void)\n{\n    greet(3);\n    return 0;\n}\nvoid greet(int n) { }\n");
    let ran = wolverine(&["run", &path]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("warning: implicit declaration of function 'greet'"), "{}", ran.err);
    assert!(ran.err.contains(" 3 |     greet(3);\n   |     ^\n"), "{}", ran.err);
    let (_folder, path) = file("int main(void)\n{\n    asm(\"nop\");\n    return 0;\n}\n");
    let ran = wolverine(&["ir", &path]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains(":3:5: note: inline assembly is not modelled"), "{}", ran.err);
}

#[test]
fn a_program_without_main_can_be_printed_but_not_run() {
    let (_folder, path) = file("int f(void) { return 1; }\n");
    fails_with(&["run", &path], "wolverine: this program has no function `main`, so there is nothing to run\n");
    assert_eq!(wolverine(&["ir", &path]).status, 0);
    let (_folder, path) = file("");
    assert_eq!(wolverine(&["run", &path]).status, 2);
}

// ----- run -----

#[test]
fn a_program_runs_with_its_arguments_and_output() {
    let ran = wolverine(&["run", REVERSE, "--", "3", "1", "4"]);
    assert_eq!((ran.status, ran.out.as_str()), (0, "3 1 4 \n4 1 3 \n"));
    // Its blocks are never freed.
    assert!(ran.err.contains(":25:5: note: 3 blocks allocated here, 48 bytes in all, never freed\n"), "{}", ran.err);
    let ran = wolverine(&["run", REVERSE, "--engine", "gdb", "--", "3", "1", "-4"]);
    assert_eq!((ran.status, ran.out.as_str()), (0, "3 1 -4 \n-4 1 3 \n"));
}

const ECHO: &str = "#include <stdio.h>\nint main(void)\n{\n    int c;\n    while ((c = getchar()) != EOF)\n        putchar(c);\n    fprintf(stderr, \"done\\n\");\n    return 7;\n}\n";

#[test]
fn standard_input_is_passed_on() {
    let (folder, path) = file(ECHO);
    let text = folder.path().join("input");
    std::fs::write(&text, "from a file\n").expect("a file can be written");
    for engine in ["interpreter", "gdb"] {
        let ran = wolverine_with(&["run", &path, "--engine", engine], "from a pipe\n");
        assert_eq!((ran.status, ran.out.as_str()), (0, "from a pipe\n"), "{engine}: {}", ran.err);
        assert!(ran.err.contains("done\n") && ran.err.contains("the program ended with status 7"), "{}", ran.err);
        let ran = wolverine(&["run", &path, "--engine", engine, "--stdin", &text.to_string_lossy()]);
        assert_eq!((ran.status, ran.out.as_str()), (0, "from a file\n"), "{engine}: {}", ran.err);
    }
}

#[test]
fn limits_have_status_3() {
    let ran = wolverine(&["run", "features/crash_endless_while.c", "--max-steps", "1000"]);
    assert_eq!(ran.status, 3);
    assert!(ran.err.ends_with("stopped after 1000 statements, as many as --max-steps allows\n"), "{}", ran.err);
    let ran = wolverine(&["run", "features/crash_endless_while.c", "--timeout", "0.2"]);
    assert_eq!(ran.status, 3);
    assert!(ran.err.contains("stopped after 0.2 seconds"), "{}", ran.err);
    let ran = wolverine(&["trace", "features/crash_endless_while.c", "--max-steps", "20"]);
    assert_eq!(ran.status, 3);
    let ran = wolverine(&["picture", "features/crash_endless_while.c", "--at", "9#500", "--max-steps", "20"]);
    assert_eq!(ran.status, 3, "{}", ran.err);
}

/// Such loops have no statement to count.
#[test]
fn loops_of_nothing_end_too() {
    let loops =
        ["while (1);", "for (;;) {}", "do ; while (1);", "x: goto x;", "c = ({ int i = 1; while (i) i = 1; i; });"];
    for text in loops {
        let (_folder, path) = file(&format!("int main(int c, char **v) {{ c++; {text} }}\n"));
        assert_eq!(wolverine(&["run", &path, "--max-steps", "1000"]).status, 3, "{text}");
        assert_eq!(wolverine(&["run", &path, "--timeout", "0.1"]).status, 3, "{text}");
    }
}

/// Every `//~ FAULT` marker of the programs that crash on purpose.
#[test]
fn faults_are_reported_at_the_marked_line() {
    let sentences = [
        ("null", "is null"),
        ("dangling", "is gone|was freed"),
        ("out-of-bounds", "but the array has|leads to"),
        ("uninitialised", "never given a value"),
        ("double-free", "freed before"),
        ("invalid-free", "only its start can be freed|not from malloc"),
        ("division-by-zero", "is zero"),
        ("leak", "never freed"),
        ("assert", "does not hold"),
        ("abort", "ends the program"),
        ("stack-overflow", "calls inside of each other"),
        ("endless-loop", "stopped after"),
    ];
    let mut seen = std::collections::BTreeSet::new();
    for (name, line, kind) in marked_faults() {
        let path = format!("features/{name}");
        let ran = wolverine(&["run", &path, "--max-steps", "1000000"]);
        let (_, sentence) = sentences.iter().find(|(known, _)| *known == kind).expect("a known kind of fault");
        assert!(sentence.split('|').any(|part| ran.err.contains(part)), "{name}: no {kind} in:\n{}", ran.err);
        let status = match &*kind {
            "leak" => 0,
            "endless-loop" => 3,
            _ => 1,
        };
        assert_eq!(ran.status, status, "{name}: {}", ran.err);
        if kind != "endless-loop" {
            let place = format!("{path}:{line}:");
            assert!(ran.err.lines().any(|text| text.starts_with(&place)), "{name}: not at line {line}:\n{}", ran.err);
            assert!(ran.err.trim_end().ends_with('^'), "{name}: no caret:\n{}", ran.err);
        }
        seen.insert(kind);
    }
    assert_eq!(seen.len(), sentences.len(), "kinds without a program: only {seen:?}");
}

/// File, line and kind.
fn marked_faults() -> Vec<(String, u32, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(programs().join("features")).expect("the folder of features") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a program");
        for (i, line) in text.lines().enumerate() {
            if let Some((_, kind)) = line.split_once("//~ FAULT: ") {
                found.push((name.clone(), i as u32 + 1, kind.trim().to_string()));
            }
        }
    }
    assert!(found.len() >= 20);
    found.sort();
    found
}

// ----- trace -----

#[test]
fn a_trace_shows_changes() {
    for engine in ["interpreter", "gdb"] {
        let ran = wolverine(&["trace", REVERSE, "--engine", engine, "--function", "reverse", "--", "1", "2"]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        for line in [
            "  39  current->next = previous                               (reverse)\n",
            "        n2.next: n1 -> null\n",
            "      > 2 1 \n",
            "the program ended with status 0\n",
        ] {
            assert!(ran.out.contains(line), "{engine}: no {line} in:\n{}", ran.out);
        }
    }
    let ran = wolverine(&["trace", "features/crash_null.c"]);
    assert_eq!(ran.status, 1);
    assert!(ran.out.contains("features/crash_null.c:15:20: `p` is null\n"), "{}", ran.out);
}

#[test]
fn json_lines_have_a_schema() {
    for engine in ["interpreter", "gdb"] {
        let ran = wolverine(&["trace", REVERSE, "--engine", engine, "--format", "json", "--", "1", "2"]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let lines: Vec<Value> = ran
            .out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
            .collect();
        assert!(lines.iter().all(|line| line["schema"] == 1), "{engine}");
        let states: Vec<&Value> = lines.iter().filter(|line| line.get("state").is_some()).collect();
        assert!(states.len() > 20, "{engine}: {} states", states.len());
        assert_eq!(states[0]["function"], "main");
        assert_eq!(states[0]["line"], 60);
        assert!(states[0]["state"]["frames"].is_array());
        let output: String = lines.iter().filter_map(|line| line["output"].as_str()).collect();
        assert_eq!(output, "1 2 \n2 1 \n", "{engine}");
        let end = lines.last().expect("an end");
        assert_eq!((&end["status"], &end["end"]), (&Value::from(0), &Value::from("the program ended with status 0")));
    }
}

#[test]
fn an_unknown_function_names_what_there_is() {
    let message = format!("wolverine: no function `nope` in {REVERSE}; there are push, reverse, print_list, main\n");
    fails_with(&["trace", REVERSE, "--function", "nope"], &message);
    fails_with(&["ir", REVERSE, "--function", "nope"], &message);
}

// ----- ir -----

#[test]
fn the_ir_is_printed() {
    let ran = wolverine(&["ir", REVERSE, "--function", "reverse"]);
    assert_eq!(ran.status, 0);
    assert!(ran.out.starts_with("  31  function void reverse()\n"), "{}", ran.out);
    assert!(ran.out.contains("  38  ⟨t1⟩          following := current.next\n"), "{}", ran.out);
    assert!(!ran.out.contains("function int main"));
    assert!(wolverine(&["ir", REVERSE]).out.contains("function int main(int argc, char **argv)"));
}

// ----- picture -----

#[test]
fn pictures_are_drawn_in_every_form() {
    let ran = wolverine(&["picture", REVERSE, "--at", "39#2", "--", "1", "2", "3"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("│value: 2├──▶│value: 3├──▶ null"), "{}", ran.out);
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, start) in [("a.svg", &b"<svg"[..]), ("a.dot", b"digraph"), ("a.png", b"\x89PNG")] {
        let path = folder.path().join(name);
        let ran = wolverine(&["picture", REVERSE, "--at", "43", "-o", &path.to_string_lossy(), "--", "1", "2"]);
        assert_eq!(ran.status, 0, "{name}: {}", ran.err);
        let bytes = std::fs::read(&path).expect("a picture");
        assert!(bytes.starts_with(start), "{name} starts with {:?}", &bytes[..20.min(bytes.len())]);
    }
    let ran = wolverine(&["picture", REVERSE, "--engine", "gdb", "--at", "39#2", "--", "1", "2", "3"]);
    assert!(ran.out.contains("│value: 2├──▶│value: 3├──▶ null"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_place_that_is_none_is_told() {
    let at = |place: &'static str| ["picture", REVERSE, "--at", place, "--", "1", "2"];
    fails_with(&at("2"), "wolverine: line 2 has no statement to stop at; the nearest one that has is 25\n");
    fails_with(&at("39#20"), "wolverine: the program ended before it came to line 39 for the 20th time\n");
    let no_place = |text: &str| {
        format!("wolverine: `{text}` is not a place: write a line such as 12, or 12#3 for its third visit\n")
    };
    fails_with(&at("x"), &no_place("x"));
    fails_with(&at("39#0"), &no_place("39#0"));
    let message = "wolverine: a picture's file ends in .svg, .dot or .png\n";
    fails_with(&["picture", REVERSE, "--at", "39", "-o", "a.gif"], message);
    let ran = wolverine(&["picture", REVERSE, "--at", "43", "-o", "/nowhere/a.svg", "--", "1"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.starts_with("wolverine: cannot write /nowhere/a.svg: No such file"), "{}", ran.err);
}

#[test]
fn a_picture_of_a_crash_says_so() {
    let ran = wolverine(&["picture", "features/crash_null.c", "--at", "15#2"]);
    assert!(ran.out.contains("`p` is null"), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("This is the memory when it happened"), "{}", ran.out);
}
