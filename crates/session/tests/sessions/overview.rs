//! What a session tells doors that show all of it at once, on both engines.

use session::{EngineKind, Session};

use crate::common::session;

const REVERSE: &str = include_str!("../../../../examples/reverse.c");

/// Runs commands on both engines, then looks.
fn on_both(text: &str, commands: &[&str], look: impl Fn(&mut Session)) {
    for engine in [EngineKind::Gdb, EngineKind::Interpreter] {
        let mut session = session(text, engine);
        for line in commands {
            for command in session::split_line(line) {
                assert_eq!(session.run(command).error, None, "{command}");
            }
        }
        look(&mut session);
    }
}

const TO_THE_LOOP: &str = "start; next 4; step; next 2";
const FIRST_ROUND: &str = "spec; enter; next 5; change current n3; change n4->prev n3";

#[test]
fn moments_are_the_way_to_here_and_on() {
    on_both(REVERSE, &[TO_THE_LOOP, "spec", "back 2"], |session| {
        let moments = session.moments(100);
        let told: Vec<_> = moments.iter().map(|moment| (moment.how.as_str(), moment.line)).collect();
        assert_eq!(told[..2], [("start", Some(47)), ("next", Some(48))]);
        assert_eq!(told[5..], [("step", Some(27)), ("next", Some(28)), ("next", Some(29))]);
        assert_eq!(moments.iter().position(|moment| moment.is_here), Some(5));
        assert_eq!(moments[7].checkpoints, [0]);
        assert_eq!(session.moments(1).len(), 3, "one on either side");
    });
}

#[test]
fn any_moment_can_be_gone_to() {
    on_both(REVERSE, &[TO_THE_LOOP, "change current n2"], |session| {
        let last = session.moments(100).last().expect("a moment").clone();
        assert_eq!(last.how, "change current n2");
        let at = session.run("goto 3").position.expect("it runs");
        assert_eq!(at.line, Some(50));
        let outcome = session.run(&format!("goto {}", last.number));
        assert_eq!(outcome.position.expect("it runs").line, Some(29));
        assert!(session.run("print current == n2").messages[0].ends_with("1"));
        let error = session.run("goto 99").error.expect("a sentence");
        assert_eq!(error, format!("there is no moment 99; there are 0 to {}", last.number));
        assert_eq!(session.run("undo").position.expect("it runs").line, Some(50));
        let listed = session.run("moments").messages.join("\n");
        assert!(listed.contains("=>    3  next"), "{listed}");
    });
}

#[test]
fn an_expectation_is_what_spec_asserts() {
    on_both(REVERSE, &[TO_THE_LOOP, FIRST_ROUND], |session| {
        let expectation = session.expectation();
        assert_eq!(expectation.corrected, 2);
        assert_eq!(expectation.facts[..2], ["current == n3", "n4.prev == n3"]);
        assert!(expectation.facts.contains(&"head == n4".to_string()));
        assert_eq!(expectation.left_out, ["temp2"]);
        assert_eq!(expectation.forced, ["line 29: while (temp1 != NULL) is taken"]);
        session.run("spec");
        assert_eq!(session.checkpoints()[1].facts.len(), expectation.facts.len());
        assert_eq!(session.expectation().corrected, 0, "it is asserted now");
    });
}

#[test]
fn checkpoints_are_a_tree() {
    on_both(REVERSE, &[TO_THE_LOOP, "spec; enter; next; spec; resume 0; leave; spec"], |session| {
        let points = session.checkpoints();
        let parents: Vec<_> = points.iter().map(|point| point.parent).collect();
        assert_eq!(parents, [None, Some(0), Some(0)]);
        let on_the_way: Vec<_> = points.iter().map(|point| point.on_the_way).collect();
        assert_eq!(on_the_way, [true, false, true]);
        assert!(points[2].is_here);
    });
}

#[test]
fn suspects_are_forgotten_when_more_is_asserted() {
    on_both(REVERSE, &[TO_THE_LOOP, FIRST_ROUND, "spec; localize"], |session| {
        let suspects = session.suspects();
        assert!(suspects.iter().any(|suspect| suspect.line == 31 && suspect.alone && !suspect.missing));
        assert!(suspects.iter().enumerate().all(|(rank, suspect)| suspect.rank == rank));
        session.run("next");
        assert!(!session.suspects().is_empty(), "moving on changes nothing");
        session.run("spec");
        assert!(session.suspects().is_empty());
    });
}

#[test]
fn repairs_are_cards_with_what_they_lead_to() {
    on_both(REVERSE, &[TO_THE_LOOP, FIRST_ROUND, "spec; repair"], |session| {
        let repairs = session.repairs().expect("there are some");
        assert!(repairs.cards[0].is_live && repairs.cards[0].is_chosen);
        assert_eq!(repairs.cards[0].number, 1);
        assert!(repairs.cards[0].checked.starts_with("run again: meets all 2 asserted states"));
        assert!(repairs.cards.iter().all(|card| card.result.is_some()), "each has a picture");
        assert_eq!(repairs.open, ["line 29 was forced in one direction only and stays forced"]);
        let live = session.live_lines();
        assert_eq!(live, repairs.cards[0].lines);
        let (text, diff) = session.repaired_text().expect("a text");
        assert_ne!(text, REVERSE.as_bytes());
        assert!(String::from_utf8_lossy(&diff).starts_with("--- "));
        session.run("undo");
        assert!(session.repairs().is_none() && session.live_lines().is_empty());
    });
}

#[test]
fn a_question_has_two_pictures() {
    const DELETE: &str = include_str!("../../../../examples/delete_middle.c");
    let commands = ["start; next 3; step; next 4; spec; enter; next 5; change temp null; spec; repair"];
    on_both(DELETE, &commands, |session| {
        let asked = session.repairs().expect("repairs").asked.expect("a question");
        assert_eq!(asked.sides.each_ref().map(|side| side.0), [1, 2]);
        assert_eq!(asked.input, "with push(8) once more");
    });
}

#[test]
fn streams_and_breakpoints_are_told() {
    const ECHO: &str = "\
#include <stdio.h>
int main(void) {
    int n;
    scanf(\"%d\", &n);
    printf(\"%d\\n\", n + 1);
    return 0;
}
";
    on_both(ECHO, &["break 5 if n > 1; start; input 41 7; continue; next"], |session| {
        let streams = session.streams();
        assert_eq!((&streams.output[..], &streams.input[..]), (&b"42\n"[..], &b"41 7\n"[..]));
        assert!(streams.reads);
        let points = session.breakpoints();
        assert_eq!((points[0].number, &points[0].lines[..]), (1, &[5][..]));
        assert_eq!(points[0].condition.as_deref(), Some("n > 1"));
        assert_eq!(session.active_calls()[0].function, "main");
        assert_eq!(session.can_undo(), Some("next"));
        assert!(session.script().ends_with("continue\nnext\n"));
    });
}

#[test]
fn a_run_that_was_stopped_is_not_run_again() {
    const ENDLESS: &str = "int main(void) { int i = 0; for (;;) i = i + 1; }";
    for engine in [EngineKind::Gdb, EngineKind::Interpreter] {
        let mut session = session(ENDLESS, engine);
        session.run("start");
        let interrupt = session.interrupt();
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(300));
            interrupt.interrupt();
        });
        session.run("continue");
        stopper.join().expect("it only waits");
        let outcome = session.run("undo");
        assert_eq!(outcome.error, None);
        assert_eq!(outcome.position.expect("it runs").line, Some(1));
    }
}
