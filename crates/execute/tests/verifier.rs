//! The functions that programs for verifiers call: values from outside,
//! assumptions, and the ways to say that a program is wrong.

use std::collections::BTreeSet;
use std::sync::Arc;

use execute::gdb::GdbExecutor;
use execute::interpreter::Interpreter;
use execute::{ExecuteError, Executor, Fault, FaultKind, RunOptions, Stop, Until};
use ir::Program;

fn read_program(text: &str) -> Arc<Program> {
    let source = c_syntax::Source::new("test.c", text.as_bytes().to_vec());
    Arc::new(ir::load_text(Arc::new(source)).expect("the test program is C"))
}

/// Runs a program with these values from outside; how it ends, and its output.
fn run(text: &str, nondet: &[i128]) -> (Stop, String) {
    let options = RunOptions { nondet: nondet.to_vec(), ..RunOptions::default() };
    let mut interpreter = Interpreter::start(read_program(text), &options).expect("it starts");
    let stop = interpreter.resume(&Until::End, &BTreeSet::new()).expect("it runs");
    (stop, String::from_utf8(interpreter.output().expect("captured")).expect("text"))
}

fn fault(text: &str, nondet: &[i128]) -> Fault {
    match run(text, nondet).0 {
        Stop::Fault(fault) => fault,
        other => panic!("{other:?}"),
    }
}

/// The formula of a program knows shifts that C does not define; a run that confirms it must know them, too.
#[test]
fn a_shift_too_far_is_a_fault_where_that_is_asked_for() {
    let text = "
extern int __VERIFIER_nondet_int(void);
int main(void) { int n = __VERIFIER_nondet_int(); long wide = 1; wide <<= n; return (1 << n) + (int)(wide >> n); }
";
    let run = |strict_shifts: bool, n: i128| {
        let options = RunOptions { nondet: vec![n], strict_shifts, ..RunOptions::default() };
        let mut interpreter = Interpreter::start(read_program(text), &options).expect("it starts");
        interpreter.resume(&Until::End, &BTreeSet::new()).expect("it runs")
    };
    assert_eq!(run(false, 32), Stop::Exited(2));
    assert_eq!(run(true, 3), Stop::Exited(9));
    for (n, message) in [
        (32, "`n` is 32, but the number that it shifts has 32 bits"),
        (-1, "`n` is -1, but the number that it shifts has 64 bits"),
        (64, "`n` is 64, but the number that it shifts has 64 bits"),
    ] {
        let Stop::Fault(fault) = run(true, n) else { panic!("{n}") };
        assert_eq!((fault.kind, fault.message.as_str()), (FaultKind::Shift, message));
    }
}

#[test]
fn values_are_taken_one_after_the_other_in_their_types() {
    let text = r#"
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
    int a[2];
    a[0] = __VERIFIER_nondet_int();
    a[1] = __VERIFIER_nondet_int();
    printf("%d %d ", a[0], a[1]);
    printf("%u ", __VERIFIER_nondet_uint());
    printf("%d ", __VERIFIER_nondet_char());
    printf("%d ", __VERIFIER_nondet_uchar());
    printf("%d ", __VERIFIER_nondet_short());
    printf("%lu ", __VERIFIER_nondet_ulong());
    printf("%d ", __VERIFIER_nondet_bool());
    printf("%g\n", __VERIFIER_nondet_double());
    return 0;
}
"#;
    let (stop, output) = run(text, &[-5, 1 << 32, -1, 200, 257, 40000, -1, 8, -3]);
    assert_eq!(stop, Stop::Exited(0));
    assert_eq!(output, "-5 0 4294967295 -56 1 -25536 18446744073709551615 1 -3\n");
}

#[test]
fn functions_need_not_be_declared() {
    let text = r#"
int printf(const char *, ...);
int main(void) {
    int big = __VERIFIER_nondet_uint();
    assume(big < 0);
    __VERIFIER_assume(big == -1);
    __VERIFIER_assert(big != 0);
    printf("%d", big < 0);
    return 0;
}
"#;
    assert_eq!(run(text, &[0xffff_ffff]), (Stop::Exited(0), "1".into()));
    assert_eq!(fault(text, &[5]).kind, FaultKind::Assumption);
}

#[test]
fn runs_out_of_values() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); int y = __VERIFIER_nondet_int(); return x + y; }";
    assert_eq!(run(text, &[3, 4, 5]).0, Stop::Exited(7));
    let none = fault(text, &[]);
    assert_eq!(none.kind, FaultKind::NoValue);
    assert_eq!(none.message, "`__VERIFIER_nondet_int()` has no value: none was given");
    assert_eq!(fault(text, &[3]).message, "`__VERIFIER_nondet_int()` has no value left: only one was given");
}

#[test]
fn what_is_assumed_is_no_mistake_of_the_program() {
    let text = "void __VERIFIER_assume(int);\nint main(void) {\n    int x = 3;\n    __VERIFIER_assume(x > 3);\n    return 0;\n}\n";
    let fault = fault(text, &[]);
    assert_eq!(fault.kind, FaultKind::Assumption);
    assert_eq!(fault.message, "`__VERIFIER_assume(x > 3)` does not hold, so this run does not count");
    let span = fault.span.expect("a place");
    assert_eq!(&text[span.start as usize..span.end as usize], "__VERIFIER_assume(x > 3)");
}

#[test]
fn wrong_programs_are_told_with_their_place() {
    for (statement, call, sentence) in [
        ("__VERIFIER_assert(x == 4);", "__VERIFIER_assert(x == 4)", "`__VERIFIER_assert(x == 4)` fails"),
        ("assert(x == 4);", "assert(x == 4)", "`assert(x == 4)` fails"),
        (
            "if (x) __VERIFIER_error();",
            "__VERIFIER_error()",
            "`__VERIFIER_error()` is reached, which must never happen",
        ),
        ("if (x) { reach_error(); }", "reach_error()", "`reach_error()` is reached, which must never happen"),
    ] {
        let text = format!("int main(void) {{ int x = 3; {statement} return 0; }}");
        let fault = fault(&text, &[]);
        assert_eq!((fault.kind, fault.message.as_str()), (FaultKind::Assert, sentence));
        let span = fault.span.expect("a place");
        assert_eq!(&text[span.start as usize..span.end as usize], call);
    }
}

#[test]
fn functions_of_the_program_come_first() {
    let text = r#"
int assume(int x) { return x + 1; }
void reach_error(void) { }
int __VERIFIER_nondet_int(void) { return 40; }
int main(void) { reach_error(); return assume(0) + __VERIFIER_nondet_int(); }
"#;
    assert_eq!(run(text, &[]).0, Stop::Exited(41));
}

#[test]
fn a_checkpoint_remembers_which_values_were_taken() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); x += __VERIFIER_nondet_int(); return x; }";
    let options = RunOptions { nondet: vec![3, 4], ..RunOptions::default() };
    let mut interpreter = Interpreter::start(read_program(text), &options).expect("it starts");
    interpreter.resume(&Until::Into, &BTreeSet::new()).expect("it runs");
    let between = interpreter.checkpoint().expect("a checkpoint");
    for _ in 0..2 {
        assert_eq!(interpreter.nondet_taken(), 1);
        assert_eq!(interpreter.resume(&Until::End, &BTreeSet::new()).expect("it runs"), Stop::Exited(7));
        assert_eq!(interpreter.nondet_taken(), 2);
        interpreter.restore(between).expect("it goes back");
    }
}

#[test]
fn gdb_says_what_to_do() {
    let program = read_program("int main(void) { return __VERIFIER_nondet_int(); }");
    let Err(ExecuteError::Compile(message)) = GdbExecutor::start(program, &RunOptions::default()) else {
        panic!("no library has this function");
    };
    let sentence = "`__VERIFIER_nondet_int` is a function for verifiers, which no library has: use the interpreter, \
                    or define it in the program\n";
    assert!(message.starts_with(sentence), "{message}");
}
