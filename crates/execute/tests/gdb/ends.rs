//! How it ends.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use execute::gdb::GdbExecutor;
use execute::{CheckpointId, ExecuteError, Executor, FaultKind, RunOptions, Stop, Until};
use memory::{Entity, Root, Value};

use super::{Session, is_running, options, read_program, start, start_with};

/// The fault of a program, its message, and the text of its statement.
fn fault(text: &str) -> (FaultKind, String, String) {
    let mut session = Session::new(text);
    session.go(&Until::End);
    let Stop::Fault(fault) = session.gdb.position().clone() else { panic!("{:?}", session.gdb.position()) };
    assert!(matches!(session.gdb.resume(&Until::Into, &BTreeSet::new()), Err(ExecuteError::Over)));
    assert!(!session.state().frames.is_empty());
    let place = fault.span.map(|span| session.program.source.text(span)).unwrap_or_default();
    (fault.kind, fault.message, place)
}

#[test]
fn mistakes_have_a_kind_and_a_place() {
    let head = "#include <stdlib.h>\n#include <string.h>\n#include <assert.h>\nstruct n { int v; struct n *next; };\n";
    let main =
        |body: &str| format!("{head}int f(int n) {{ return n ? f(n + 1) + 1 : 0; }}\nint main(void) {{ {body} }}");
    let cases = [
        ("struct n *p = NULL; p->next = p; return 0;", FaultKind::Null, "p->next = p"),
        ("char *s = NULL; return strlen(s);", FaultKind::Null, "return strlen(s)"),
        ("int z = 0; return 4 / z;", FaultKind::DivisionByZero, "return 4 / z"),
        ("char *p = malloc(4); free(p); free(p); return 0;", FaultKind::DoubleFree, "free(p)"),
        ("char *p = malloc(4); free(p + 1); return 0;", FaultKind::InvalidFree, "free(p + 1)"),
        ("int x; int *p = &x; free(p); return 0;", FaultKind::InvalidFree, "free(p)"),
        ("int x = 1; assert(x == 2); return 0;", FaultKind::Assert, "assert(x == 2)"),
        ("abort();", FaultKind::Abort, "abort()"),
        ("return f(1);", FaultKind::StackOverflow, "return n ? f(n + 1) + 1 : 0"),
        ("int *p = (int *)0x123456789000; *p = 1; return 0;", FaultKind::Signal, "*p = 1"),
        ("int *p = (int *)0x8123456789000000; *p = 1; return 0;", FaultKind::Signal, "*p = 1"),
    ];
    for (body, kind, place) in cases {
        let found = fault(&main(body));
        assert_eq!((found.0, found.2.as_str()), (kind, place), "{body}: {}", found.1);
    }
}

#[test]
fn a_handled_signal_is_no_fault() {
    let text = "
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
volatile sig_atomic_t rung;
void ring(int number) { rung = number; }
void saved(int number) { _exit(40 + number); }
int main(void) {
    signal(SIGUSR1, ring);
    signal(SIGINT, ring);
    raise(SIGUSR1);
    raise(SIGINT);
    signal(SIGSEGV, saved);
    if (rung == SIGINT) *(volatile int *)0 = 1;
    return 3;
}
";
    let mut gdb = start(text);
    assert_eq!(gdb.resume(&Until::End, &BTreeSet::new()).expect("an end"), Stop::Exited(51));
}

#[test]
fn the_exit_status_is_told_and_the_state_stays() {
    let mut session = Session::new("#include <stdlib.h>\nint g = 1;\nint main(void) { g = 5; exit(300); }");
    assert_eq!(session.go(&Until::End), "Exited(44)");
    assert_eq!(session.state().globals[0].value.to_string(), "5");
    assert!(matches!(session.gdb.resume(&Until::End, &BTreeSet::new()), Err(ExecuteError::Over)));
}

const ENDLESS: &str = "int main(void) { unsigned long n = 0; for (;;) n++; }";

#[test]
fn an_endless_loop_is_interrupted_and_goes_on() {
    let mut gdb = start_with(ENDLESS, &RunOptions { max_seconds: 0.3, ..options() });
    let n = |gdb: &mut GdbExecutor| match gdb.state().expect("a state").frames[0].variables[0].value {
        memory::Value::Int(n) => n,
        ref other => panic!("{other}"),
    };
    assert_eq!(gdb.resume(&Until::End, &BTreeSet::new()).expect("a stop"), Stop::Interrupted);
    let first = n(&mut gdb);
    assert!(first > 1000);
    assert_eq!(gdb.resume(&Until::End, &BTreeSet::new()).expect("a stop"), Stop::Interrupted);
    assert!(n(&mut gdb) > first);
    assert!(matches!(gdb.resume(&Until::Into, &BTreeSet::new()).expect("a statement"), Stop::Step(_)));
}

#[test]
fn another_thread_can_interrupt() {
    let mut gdb = start(ENDLESS);
    let interrupter = gdb.interrupter();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        interrupter.interrupt();
    });
    assert_eq!(gdb.resume(&Until::End, &BTreeSet::new()).expect("a stop"), Stop::Interrupted);
    thread.join().expect("the thread");
}

/// Waits until a process is gone.
fn ends(pid: u32) -> bool {
    let start = Instant::now();
    while is_running(pid) && start.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(10));
    }
    !is_running(pid)
}

#[test]
fn nothing_is_left_running() {
    let gdb = start(ENDLESS);
    let [debugger, program] = gdb.processes()[..] else { panic!("two processes") };
    assert!(is_running(debugger) && is_running(program));
    drop(gdb);
    assert!(ends(debugger) && ends(program));
}

fn kill(pid: u32) {
    let status = std::process::Command::new("kill").args(["-9", &pid.to_string()]).status();
    assert!(status.expect("kill runs").success());
}

/// Everything that can be asked of an executor tells quickly that it died.
fn tells_that_it_died(gdb: &mut GdbExecutor, checkpoint: CheckpointId) {
    let start = Instant::now();
    let n = Entity { root: Root::Local { frame: 0, function: "main".into(), name: "n".into() }, path: String::new() };
    let answers = [
        ("resume", gdb.resume(&Until::Into, &BTreeSet::new()).map(drop)),
        ("state", gdb.state().map(drop)),
        ("write", gdb.write(&n, &Value::Int(1))),
        ("decide", gdb.decide(true).map(drop)),
        ("execute_instead", gdb.execute_instead("n = 1").map(drop)),
        ("checkpoint", gdb.checkpoint().map(drop)),
        ("restore", gdb.restore(checkpoint)),
        ("set_input", gdb.set_input(b"1")),
        ("input_left", gdb.input_left().map(drop)),
        ("resume again", gdb.resume(&Until::End, &BTreeSet::new()).map(drop)),
    ];
    for (what, answer) in answers {
        assert!(matches!(answer, Err(ExecuteError::Died(_))), "{what}: {answer:?}");
    }
    gdb.output().expect("what was written before");
    gdb.errors().expect("what was written before");
    gdb.forget(checkpoint);
    gdb.interrupter().interrupt();
    assert!(start.elapsed() < Duration::from_millis(1500), "{:?}", start.elapsed());
}

/// A program at its second statement with its state known, and one moment remembered.
fn start_and_look() -> (GdbExecutor, CheckpointId) {
    let mut gdb = start(ENDLESS);
    gdb.resume(&Until::Into, &BTreeSet::new()).expect("a step");
    let checkpoint = gdb.checkpoint().expect("a checkpoint");
    gdb.state().expect("a state");
    (gdb, checkpoint)
}

/// Kills one of the two processes and checks what is told and what is left.
fn kill_one(which: usize, while_running: bool) {
    let (mut gdb, checkpoint) = start_and_look();
    let processes = gdb.processes();
    let directory = gdb.directory().to_path_buf();
    assert!(directory.exists());
    let victim = processes[which];
    if while_running {
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            kill(victim);
            Instant::now()
        });
        assert!(matches!(gdb.resume(&Until::End, &BTreeSet::new()), Err(ExecuteError::Died(_))));
        assert!(thread.join().expect("the thread").elapsed() < Duration::from_millis(1500));
    } else {
        kill(victim);
    }
    tells_that_it_died(&mut gdb, checkpoint);
    drop(gdb);
    assert!(processes.into_iter().all(ends));
    assert!(!directory.exists());
}

#[test]
fn a_killed_gdb_is_told() {
    kill_one(0, false);
}

#[test]
fn a_gdb_killed_while_it_runs_is_told() {
    kill_one(0, true);
}

#[test]
fn a_killed_program_is_told() {
    kill_one(1, false);
}

#[test]
fn a_program_killed_while_it_runs_is_told() {
    kill_one(1, true);
}

#[test]
fn what_cannot_start_says_why() {
    let no_main = GdbExecutor::start(read_program("a.c", "int f(void) { return 1; }"), &options());
    assert!(matches!(no_main, Err(ExecuteError::NoMain)));
    let missing = GdbExecutor::start(read_program("a.c", "int f(void);\nint main(void) { return f(); }"), &options());
    let Err(ExecuteError::Compile(why)) = missing else { panic!("it links") };
    assert!(why.contains("undefined reference to `f'"), "{why}");
}

#[test]
fn children_of_the_program_do_no_harm() {
    let text = "
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    int status = 0;
    if (fork() == 0)
        _exit(5);
    wait(&status);
    system(\"exit 2\");
    return WEXITSTATUS(status);
}
";
    let mut session = Session::new(text);
    session.run_to("return WEXITSTATUS(status)");
    assert_eq!(session.go(&Until::End), "Exited(5)");
}
