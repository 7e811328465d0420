//! What a patched statement costs. Shown with `--nocapture`.

use std::time::Instant;

use execute::Executor;

use super::{LiveChange, Session, sessions};

const TEXT: &str = "
int main(void) {
    int i = 0, s = 0;
    while (i < 10000) {
        s += i;
        i++;
    }
    return s == 100;
}
";

#[test]
fn patched_statements_are_cheap() {
    type Make = fn(&Session) -> LiveChange;
    let changes: [(&str, Make); 4] = [
        ("replaced", |session| session.replace("s += i", "s += 0")),
        ("inserted", |session| session.insert("s += i", "s = -i")),
        ("inserted with from", |session| session.insert_from(&["i++"], "i < 10000", "s = 0")),
        ("guarded", |session| session.guard("s += i", "s < 0")),
    ];
    for (what, change) in changes {
        for mut session in sessions(TEXT) {
            if session.engine == "gdb" {
                session.set([session.replace("int i = 0, s = 0;", "i = 9700, s = 0"), change(&session)]);
            } else {
                session.set([change(&session)]);
            }
            let rounds = if session.engine == "gdb" { 300.0 } else { 10000.0 };
            // The first run reads the text.
            let start = session.executor.checkpoint().expect("a checkpoint");
            session.end();
            session.executor.restore(start).expect("it goes back");
            let begin = Instant::now();
            let end = session.end();
            let micros = begin.elapsed().as_secs_f64() * 1e6 / rounds;
            println!("{what} under {}: {micros:.1} µs a round, {end}", session.engine);
            assert!(micros < if session.engine == "gdb" { 50_000.0 } else { 100.0 }, "{micros} µs {what}");
        }
    }
}
