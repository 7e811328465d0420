use std::sync::{Arc, Mutex, atomic::{AtomicUsize, Ordering}};
use execute::gdb::GdbExecutor;
fn main() {
    let cases = bench::programs::find(&[std::path::PathBuf::from("programs")], None).unwrap();
    let next = AtomicUsize::new(0);
    let out = Mutex::new(());
    std::thread::scope(|s| { for _ in 0..3 { s.spawn(|| {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Ok(program) = ir::load(&case.path) else { continue };
            let program = Arc::new(program);
            let options = execute::RunOptions { input: execute::Input::Bytes(case.stdin.clone()), max_seconds: 5.0, ..Default::default() };
            let Ok(gdb) = GdbExecutor::start(program.clone(), &options) else { continue };
            let _g = out.lock();
            for step in gdb.steps_without_code() {
                let at = program.step(step);
                println!("{:?}\t{}:{}\t{}", at.kind, case.path.display(), at.line, program.source.text(at.span).replace('\n', " "));
            }
        }
    }); } });
}
