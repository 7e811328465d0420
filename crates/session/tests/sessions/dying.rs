//! gdb or the program is killed in the middle: the session goes on.

use crate::common::session;
use session::{EngineKind, Session};

const REVERSE: &str = include_str!("../../../../examples/reverse.c");

/// A session with a forced loop, a change and a checkpoint behind it.
fn busy() -> Session {
    let mut session = session(REVERSE, EngineKind::Gdb);
    for command in ["start", "break 29", "continue", "spec", "enter", "next 3", "change n4->prev n2", "next"] {
        let outcome = session.run(command);
        assert_eq!(outcome.error, None, "{command}");
    }
    session
}

fn kill(process: u32) {
    let status = std::process::Command::new("kill").args(["-9", &process.to_string()]).status();
    assert!(status.expect("kill is there").success());
    std::thread::sleep(std::time::Duration::from_millis(100));
}

fn goes_on_after_killing(which: usize) {
    let (mut broken, mut whole) = (busy(), busy());
    kill(broken.processes()[which]);
    let outcome = broken.run("next");
    let error = outcome.error.expect("it is told");
    assert!(error.contains("brought back to where it was; nothing is lost"), "{error}");
    assert_eq!(outcome.position, whole.run("print head").position);
    assert_ne!(broken.processes()[which], 0);
    for command in ["next", "next", "back 2", "spec", "resume 0", "resume 1", "undo", "leave", "continue", "back"] {
        let (a, b) = (broken.run(command), whole.run(command));
        assert_eq!((a.error, a.messages, a.position), (b.error, b.messages, b.position), "{command}");
        assert_eq!(a.state, b.state, "{command}");
    }
}

#[test]
fn gdb_is_killed() {
    goes_on_after_killing(0);
}

#[test]
fn the_program_is_killed() {
    goes_on_after_killing(1);
}

/// A program that kills itself does so again, but the session goes on.
#[test]
fn the_program_kills_itself() {
    let text =
        "#include <signal.h>\nint main(void) {\n    int x = 1;\n    x = 2;\n    raise(SIGKILL);\n    return x;\n}\n";
    let mut session = session(text, EngineKind::Gdb);
    session.run("start");
    session.run("next 2");
    for _ in 0..2 {
        let outcome = session.run("next");
        assert!(outcome.error.expect("it is told").contains("killed"));
        assert_eq!(outcome.position.expect("it is back").line, Some(5));
    }
    assert_eq!(session.run("print x").messages, ["(int) 2"]);
    assert_eq!(session.run("back").position.expect("it runs").line, Some(4));
}

#[test]
fn nothing_is_left_running() {
    let session = busy();
    let processes = session.processes();
    assert_eq!(processes.len(), 2);
    drop(session);
    std::thread::sleep(std::time::Duration::from_millis(200));
    for process in processes {
        let state = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z "), "{state}");
    }
}
