//! `wolverine repair` and `wolverine localize`: from a debug session to a patch.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The session of the Wolverine paper, section 2.1, up to its first repair.
const SESSION: &str = "start; next 4; step; next 2\nspec\n\
    enter; next 5\nchange current n3\nchange n4->prev n3\nspec\n\
    enter; next 5\nchange current n2\nchange n3->prev n2\nspec\n";

struct Ran {
    status: i32,
    out: String,
    err: String,
}

impl Ran {
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in:\n{}{}", self.out, self.err))
    }
}

/// A folder with a copy of `reverse.c` and a script.
fn folder(script: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    std::fs::create_dir(folder.path().join("lists")).expect("a folder");
    std::fs::copy(examples.join("reverse.c"), folder.path().join("lists/reverse.c")).expect("a copy");
    std::fs::write(folder.path().join("session.txt"), script).expect("a script");
    folder
}

fn run_in(folder: &Path, program: &str, arguments: &[&str]) -> Ran {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    let output = command.output().unwrap_or_else(|error| panic!("{program}: {error}"));
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let status = output.status.code().expect("it was not killed");
    Ran { status, out: text(output.stdout), err: text(output.stderr) }
}

/// Runs `wolverine COMMAND lists/reverse.c --script session.txt …`.
fn wolverine(folder: &TempDir, command: &str, more: &[&str]) -> Ran {
    let arguments = [&[command, "lists/reverse.c", "--script", "session.txt"], more].concat();
    run_in(folder.path(), env!("CARGO_BIN_EXE_wolverine"), &arguments)
}

fn repair(script: &str, more: &[&str]) -> Ran {
    wolverine(&folder(script), "repair", more)
}

fn assert_all(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

const REPAIRED: [&str; 2] = [" 31 -        temp2 = current->prev;", " 31 +        temp2 = current->next;"];

// ----- repair -----

#[test]
fn text_says_what_was_found() {
    let ran = repair(SESSION, &[]);
    assert_eq!((ran.status, &*ran.err), (0, ""), "{}", ran.out);
    assert_all(&ran.out, &REPAIRED);
    assert_all(&ran.out, &["Repair synthesized: one change, checked against 3 asserted states"]);
    assert_all(&ran.out, &["open: line 29, while (temp1 != NULL), was forced in one direction only", "--all shows"]);
    assert!(!ran.out.contains("32 +"), "{}", ran.out);
    let all = repair(SESSION, &["--all"]);
    assert_all(&all.out, &["all repairs that fit", "1  2 tokens, checked against 3 asserted states, taken", "\n2  "]);
    assert!(!all.out.contains("--all"), "{}", all.out);
}

#[test]
fn gdb_finds_the_same() {
    if Command::new("gdb").arg("--version").output().is_ok() {
        let ran = repair(SESSION, &["--engine", "gdb"]);
        assert_eq!((ran.status, &*ran.err), (0, ""), "{}", ran.out);
        assert_all(&ran.out, &REPAIRED);
    }
}

#[test]
fn the_diff_applies_and_the_program_runs() {
    // The whole condition: it is shown both ways, and the missing statement at the end too.
    let whole = format!("{SESSION}repair\nenter; next 5; enter; next 5; leave\nchange head n1\nspec\n");
    let folder = folder(&whole);
    let ran = wolverine(&folder, "repair", &["--format", "diff", "-o", "fixed.c"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.starts_with("--- a/lists/reverse.c\n+++ b/lists/reverse.c\n@@ -"), "{}", ran.out);
    std::fs::write(folder.path().join("fix.diff"), &ran.out).expect("a diff");
    for arguments in [&["apply", "--check", "fix.diff"][..], &["apply", "fix.diff"]] {
        let git = run_in(folder.path(), "git", arguments);
        assert_eq!(git.status, 0, "{}\n{}", git.err, ran.out);
    }
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    assert_eq!(read("lists/reverse.c"), read("fixed.c"));
    let gcc = run_in(folder.path(), "gcc", &["-Wall", "-o", "fixed", "fixed.c"]);
    assert_eq!(gcc.status, 0, "{}", gcc.err);
    let fixed: PathBuf = folder.path().join("fixed");
    let ran = run_in(folder.path(), &fixed.to_string_lossy(), &[]);
    assert_eq!((ran.status, &*ran.out), (0, "2 4 8 10 \n"));
}

#[test]
fn json_has_all_fields() {
    let ran = repair(SESSION, &["--format", "json", "--guards"]);
    assert_eq!((ran.status, &*ran.err), (0, ""));
    let answer = ran.json();
    assert_eq!(answer["schema"], 1);
    assert_eq!(answer["file"], "lists/reverse.c");
    assert_eq!(answer["outcome"], "repaired");
    assert_eq!(
        (&answer["widened"], &answer["chosen"], &answer["open"]),
        (&false.into(), &0.into(), &Value::Array([].into()))
    );
    assert!(answer["places"]["tried"].as_u64() <= answer["places"]["all"].as_u64(), "{answer:#}");
    for name in ["localize", "search", "check", "vary"] {
        assert!(answer["times_ms"][name].as_f64().is_some_and(|time| time >= 0.0), "{answer:#}");
    }
    let candidates = answer["candidates"].as_array().expect("a list");
    assert!(candidates.len() > 1);
    for candidate in candidates {
        assert!(candidate["diff"].as_str().is_some_and(|diff| diff.starts_with("--- a/lists/reverse.c\n")));
        assert_eq!((&candidate["states"], candidate["safer"].is_boolean()), (&3.into(), true));
        for edit in candidate["edits"].as_array().expect("a list") {
            assert!(edit["line"].is_u64() && edit["kind"].is_string() && edit["old"].is_string(), "{edit}");
        }
    }
    let edit = &candidates[0]["edits"][1];
    let expected = serde_json::json!({ "line": 31, "kind": "replace", "old": "current->prev", "new": "current->next" });
    assert_eq!((edit, &candidates[0]["tokens"]), (&expected, &4.into()));
    let mut risks = candidates.iter().flat_map(|candidate| candidate["risks"].as_array().expect("a list"));
    assert!(risks.any(|risk| risk["variation"].is_string() && risk["message"].is_string()), "{answer:#}");
    let open = repair(SESSION, &["--format", "json"]).json()["open"].clone();
    assert_eq!(open, serde_json::json!([{ "line": 29, "text": "while (temp1 != NULL)" }]));
}

#[test]
fn what_the_script_picks_is_taken() {
    let ran = repair(&format!("{SESSION}repair\npick 2\n"), &["--format", "diff"]);
    assert_all(&ran.out, &["-        current->prev = temp2;", "+        current->prev = current->next;"]);
    // Asked for anew, as something was asserted since.
    let ran = repair(&format!("{SESSION}repair\npick 2\nspec head == n4\n"), &[]);
    assert_all(&ran.out, &REPAIRED);
    assert_all(&ran.out, &["checked against 4 asserted states"]);
}

#[test]
fn commands_that_write_files_are_left_out() {
    let folder = folder(&format!("show a.svg\n{SESSION}repair\nrewrite b.c\nsave c.txt; show d.svg\nquit\nfly\n"));
    let ran = wolverine(&folder, "repair", &["-o", "out.c"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_all(&ran.err, &["note: session.txt:13: `rewrite b.c` is left out, as it writes a file", "`save c.txt`"]);
    assert_all(&ran.out, &["written to out.c"]);
    let mut names: Vec<String> = std::fs::read_dir(folder.path())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["lists", "out.c", "session.txt"]);
}

// ----- exit codes -----

#[test]
fn scripts_that_fail_have_status_2() {
    let failing = [
        (
            "start\nnext 4\n\n# all is well\nnext; change foo n3; spec\n",
            "session.txt:5: `change foo n3`: there is no `foo`",
        ),
        ("start\nfly\n", "session.txt:2: `fly`: there is no command `fly`"),
        ("start; spec head == n1\n", "session.txt:1: `spec head == n1`: there is no node n1"),
        ("start\nnext 4\n", "nothing is asserted"),
        ("start\nnext\nrepair\n", "session.txt:3: `repair`: nothing is asserted"),
        ("", "the program is not running"),
    ];
    for (script, sentence) in failing {
        for command in ["repair", "localize"] {
            let ran = wolverine(&folder(script), command, &[]);
            assert_eq!((ran.status, &*ran.out), (2, ""), "{command} {script}");
            let left_out = command == "localize" && sentence.contains("`repair`");
            assert_all(&ran.err, &["wolverine: ", if left_out { "nothing is asserted" } else { sentence }]);
        }
    }
}

#[test]
fn input_that_cannot_be_read_has_status_2() {
    let binary = env!("CARGO_BIN_EXE_wolverine");
    let folder = folder(SESSION);
    for arguments in [
        &["lists/reverse.c", "--script", "none.txt"][..],
        &["none.c", "--script", "session.txt"],
        &["lists/reverse.c", "--script", "session.txt", "--stdin", "none.txt"],
        &["lists/reverse.c"],
        &["lists/reverse.c", "--script", "session.txt", "--format", "poem"],
    ] {
        for command in ["repair", "localize"] {
            let ran = run_in(folder.path(), binary, &[&[command], arguments].concat());
            assert_eq!((ran.status, &*ran.out), (2, ""), "{command} {arguments:?}");
            assert!(!ran.err.is_empty());
        }
    }
    let ran = wolverine(&folder, "repair", &["-o", "none/fixed.c"]);
    assert_eq!(ran.status, 2);
    assert_all(&ran.err, &["none/fixed.c cannot be written"]);
}

#[test]
fn no_repair_has_status_1() {
    // No statement could make that number.
    let script = "start\nspec x == 12345\n";
    let repair = |script: &str, more: &[&str]| {
        let folder = folder(script);
        let tiny = "int x;\n\nint main(void)\n{\n    return x;\n}\n";
        std::fs::write(folder.path().join("lists/reverse.c"), tiny).expect("a file");
        wolverine(&folder, "repair", more)
    };
    let ran = repair(script, &["-o", "fixed.c"]);
    assert_eq!(ran.status, 1, "{}{}", ran.out, ran.err);
    assert_all(&ran.out, &["can meet all that is asserted"]);
    assert_all(&ran.err, &["note: fixed.c is not written"]);
    let diff = repair(script, &["--format", "diff"]);
    assert_eq!((diff.status, &*diff.out), (1, ""));
    let answer = repair(script, &["--format", "json"]).json();
    assert!(["exhausted", "contradicts"].map(Value::from).contains(&answer["outcome"]), "{answer:#}");
    assert!(answer["message"].is_string() && answer["candidates"] == Value::Array([].into()), "{answer:#}");
    // Asked for in the script, what follows has no meaning any more.
    let ran = repair(&format!("{script}repair\nnext\nspec\n"), &[]);
    assert_eq!(ran.status, 1);
    assert_all(&ran.err, &["note: session.txt:3: `repair` found no repair, so the script ends here"]);
}

#[test]
fn nothing_to_repair_has_status_0() {
    let script = "start; next 4; step; next 2; spec\n";
    let ran = repair(script, &[]);
    assert_eq!((ran.status, &*ran.err), (0, ""));
    assert_all(&ran.out, &["the program meets everything that is asserted; there is nothing to repair"]);
    assert_eq!(repair(script, &["--format", "diff"]).out, "");
    assert_eq!(repair(script, &["--format", "json"]).json()["outcome"], "meets");
    let open = repair(&format!("{script}enter; spec"), &["--format", "json"]).json();
    assert_eq!((&open["outcome"], &open["open"][0]["line"]), (&"meets".into(), &29.into()));
}

#[test]
fn limits_have_status_3() {
    let folder = folder("start\ncontinue\n");
    std::fs::write(folder.path().join("lists/reverse.c"), "int main(void){int x=0; while(1){x=x+1;}}\n")
        .expect("a file");
    for command in ["repair", "localize"] {
        let ran = wolverine(&folder, command, &["--timeout", "0.5"]);
        assert_eq!((ran.status, &*ran.out), (3, ""), "{}", ran.err);
        assert_all(&ran.err, &["wolverine: session.txt:2: `continue`: time is up, after 0.5 seconds"]);
    }
}

/// Both cannot be, so everything is tried.
const LONG: &str = "start; next 4; spec n1->data == 77; spec n2->data == 78; spec n3->data == 79\n";

#[test]
fn a_search_that_takes_too_long_has_status_3() {
    let ran = repair(LONG, &["--timeout", "1", "--format", "json"]);
    assert!(ran.status == 3 || ran.json()["outcome"] == "contradicts", "{}{}", ran.out, ran.err);
    assert!(ran.status != 3 || ran.json()["outcome"] == "out-of-time", "{}", ran.out);
}

#[test]
fn signals_end_a_repair() {
    let folder = folder("start\ncontinue\n");
    std::fs::write(folder.path().join("lists/reverse.c"), "int main(void){int x=0; while(1){x=x+1;}}\n")
        .expect("a file");
    let mut child = Command::new(env!("CARGO_BIN_EXE_wolverine"))
        .args(["repair", "lists/reverse.c", "--script", "session.txt"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary can be started");
    std::thread::sleep(std::time::Duration::from_secs(1));
    let kill = run_in(folder.path(), "kill", &["-INT", &child.id().to_string()]);
    assert_eq!(kill.status, 0, "{}", kill.err);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

// ----- localize -----

#[test]
fn suspicious_places_are_shown_in_the_source() {
    // Repairs of the script are not made, and so not taken back.
    for script in [SESSION.to_string(), format!("{SESSION}repair\npick 2; undo\nundo\nrewrite x.c\n")] {
        let ran = wolverine(&folder(&script), "localize", &[]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let caret =
            " 31 |         temp2 = current->prev; //~ FAULT: current->next\n    |         ^^^^^^^^^^^^^^^^^^^^^\n";
        assert_all(&ran.out, &["statements are suspicious", "lists/reverse.c:31:9: ", caret]);
    }
    let ran = wolverine(&folder("start; next 4; step; spec\n"), "localize", &[]);
    assert_eq!((ran.status, &*ran.out), (0, "everything that is asserted holds; no statement is suspicious\n"));
}

#[test]
fn suspicious_places_as_json() {
    let ran = wolverine(&folder(SESSION), "localize", &["--format", "json"]);
    assert_eq!((ran.status, &*ran.err), (0, ""));
    let answer = ran.json();
    assert_eq!((&answer["schema"], &answer["file"]), (&1.into(), &"lists/reverse.c".into()));
    let places = answer["places"].as_array().expect("a list");
    let steps = places.iter().filter(|place| place["kind"] != "insertion").count() as u64;
    assert!(answer["considered"].as_u64().is_some_and(|count| count >= steps), "{answer:#}");
    for (i, place) in places.iter().enumerate() {
        assert_eq!((&place["rank"], &place["function"]), (&(i + 1).into(), &"reverse".into()));
        assert!(place["score"].is_number() && place["reach"].is_string() && place["column"].is_u64(), "{place:#}");
        assert!(place["reasons"].as_array().is_some_and(|reasons| reasons.iter().all(Value::is_string)), "{place:#}");
    }
    assert!(places.iter().any(|place| place["line"] == 31 && place["text"] == "temp2 = current->prev"), "{answer:#}");
}
