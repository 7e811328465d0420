//! `wolverine debug` as people use it: typed into a real terminal.

mod tmux;

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use tmux::Screen;

fn engines() -> Vec<&'static str> {
    let has_gdb = Command::new("gdb").arg("--version").output().is_ok();
    if has_gdb { vec!["interpreter", "gdb"] } else { vec!["interpreter"] }
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn endless() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("endless.c");
    std::fs::write(&path, "int main(void){int x=0; while(1){x=x+1;}}\n").expect("a file can be written");
    (folder, path)
}

/// Everything must be in what a command wrote.
fn assert_all(told: &str, parts: &[&str]) {
    for part in parts {
        assert!(told.contains(part), "no `{part}` in:\n{told}");
    }
}

#[test]
fn a_session_is_typed() {
    for engine in engines() {
        let screen = Screen::debug(&example("reverse.c"), engine);
        assert_all(&screen.text(), &["reverse.c with", "Type `start` to run the program, `help` for the commands."]);
        assert_all(&screen.run(""), &["the program is not running; type `start`"]);
        assert_all(&screen.run("start"), &["in main()", "=> 47      push(2);", "           ^^^^^^^"]);
        assert_all(&screen.run(""), &["=> 48      push(4);"]);
        assert_all(&screen.run("next; next; next"), &["  49  push(8)", "  50  push(10)", "=> 51      reverse();"]);
        assert_all(
            &screen.run("nxt; next"),
            &["error: there is no command `nxt`; did you mean `next`?", "not run: next"],
        );
        assert_all(&screen.run("step"), &["in reverse()", "=> 27"]);
        assert_all(&screen.run("next 2; enter"), &["  29  while (temp1 != NULL)", "=> 30", "head, current"]);
        assert_all(&screen.run("change temp1 n3"), &["temp1: null -> n3"]);
        assert_all(&screen.run("spec"), &["Program states added - Checkpoint 0"]);
        assert_all(&screen.run("next"), &["=> 31"]);
        assert_all(&screen.run("back"), &["=> 30"]);
        assert_all(&screen.run("next; next"), &["=> 32"]);
        assert_all(&screen.run("resume 0"), &["Program resumed at checkpoint 0", "=> 30"]);
        assert_all(&screen.run("print temp1->data"), &["(int) 8"]);
        let colored = screen.colored_text();
        assert!(colored.contains("\x1b[1m\x1b[31merror:") || colored.contains("\x1b[1;31merror:"), "{colored:?}");
        screen.type_text("quit");
        screen.press("Enter");
        screen.wait_for("ended with 0");
        screen.assert_gone();
        assert_all(&screen.history(), &["next 2; enter\n", "print temp1->data\nquit\n"]);
    }
}

#[test]
fn lines_are_completed_and_remembered() {
    let screen = Screen::debug(&example("reverse.c"), "interpreter");
    screen.run("start");
    screen.run("list 5");
    screen.type_text("cha");
    screen.press("Tab");
    screen.wait_for_typed("change");
    screen.type_text(" he");
    screen.press("Tab");
    screen.wait_for_typed("change head");
    // Ctrl-C takes back what was typed.
    let before = screen.prompts();
    screen.press("C-c");
    screen.wait_until("a new prompt", |text| text.matches("(Wolverine)").count() > before);
    screen.wait_for_typed("");
    screen.press("Up");
    screen.wait_for_typed("list 5");
    screen.press("Up");
    screen.wait_for_typed("start");
    screen.press("C-c");
    screen.wait_for_typed("");
    // Ctrl-D ends the session.
    screen.press("C-d");
    screen.wait_for("ended with 0");
    screen.assert_gone();
}

#[test]
fn ctrl_c_interrupts_the_program_and_not_the_debugger() {
    for engine in engines() {
        let (_folder, path) = endless();
        let screen = Screen::debug(&path, engine);
        screen.run("start");
        let before = screen.prompts();
        screen.type_text("continue; next");
        screen.press("Enter");
        std::thread::sleep(std::time::Duration::from_millis(500));
        screen.press("C-c");
        screen.wait_until("a prompt after Ctrl-C", |text| text.matches("(Wolverine)").count() > before);
        assert_all(
            &screen.text(),
            &["interrupted", "=> 1  int main(void){int x=0; while(1){x=x+1;}}", "not run: next"],
        );
        let number = |told: &str| told.trim().strip_prefix("(int) ").and_then(|text| text.parse::<i64>().ok());
        let told = screen.run("print x");
        let x = number(&told).unwrap_or_else(|| panic!("no number: {told}"));
        assert!(screen.run("nxt").starts_with("error: "), "{}", screen.text());
        screen.run("next; next");
        let told = screen.run("print x");
        assert_ne!(number(&told), Some(x), "{told}");
        screen.type_text("quit");
        screen.press("Enter");
        screen.wait_for("ended with 0");
        screen.assert_gone();
    }
}

#[test]
fn signals_end_the_session() {
    for engine in engines() {
        for is_running in [false, true] {
            let (_folder, path) = endless();
            let screen = Screen::debug(&path, engine);
            screen.run("start");
            if is_running {
                screen.type_text("continue");
                screen.press("Enter");
                std::thread::sleep(std::time::Duration::from_millis(300));
            }
            let names: Vec<String> = screen.processes().into_iter().map(|(_, name)| name.trim().to_string()).collect();
            assert_eq!(
                engine == "gdb",
                names.contains(&"gdb".into()) && names.contains(&"endless".into()),
                "{names:?}"
            );
            let pid = screen.wolverine().to_string();
            assert!(Command::new("kill").args(["-TERM", &pid]).status().is_ok_and(|status| status.success()));
            screen.wait_for("ended with 143");
            screen.assert_gone();
        }
    }
}

#[test]
fn closing_the_terminal_ends_the_session() {
    for engine in engines() {
        for is_running in [false, true] {
            let (_folder, path) = endless();
            let screen = Screen::debug(&path, engine);
            screen.run("start");
            if is_running {
                screen.type_text("continue");
                screen.press("Enter");
                std::thread::sleep(std::time::Duration::from_millis(300));
            }
            screen.close();
            screen.assert_gone();
        }
    }
}

#[test]
fn a_long_repair_is_shown_and_can_be_stopped() {
    let screen = Screen::debug(&example("reverse.c"), "interpreter");
    screen.run("start; next 4; spec n1->data == 77; spec n2->data == 78; spec n3->data == 79");
    // Nothing makes such numbers, so everything is tried.
    screen.type_text("repair");
    screen.press("Enter");
    screen.wait_for("Ctrl-C stops)");
    let before = screen.prompts();
    screen.press("C-c");
    screen.wait_until("a prompt", |text| text.lines().last().is_some_and(|line| line.trim_end() == "(Wolverine)"));
    let text = screen.text();
    assert!(screen.prompts() > before, "{text}");
    assert_all(&text, &["error: interrupted; no repair was found so far"]);
    assert!(!text.contains("Ctrl-C stops)"), "{text}");
    assert_all(&screen.run("next"), &["=> 52"]);
}
