use check::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut options = Options::default();
    if let Ok(e) = std::env::var("ENTRY") {
        options.entry = Some(e);
    }
    if let Ok(e) = std::env::var("ASSUME") {
        options.assume = vec![e];
    }
    if let Ok(e) = std::env::var("UNWIND") {
        options.bounds.unwind = e.parse().unwrap();
    }
    let t = std::time::Instant::now();
    let task = load(args[1].as_ref(), args.get(2).map(|s| s.as_ref()), &options).unwrap();
    eprintln!("load {:?}", t.elapsed());
    let t = std::time::Instant::now();
    let v = c_syntax::with_deep_stack(|| check(&task));
    eprintln!("check {:?}", t.elapsed());
    match v {
        Verdict::Fails(c) => {
            println!("FAILS {:?} {:?} {:?}", c.example, c.failure, c.violation.map(|v| (v.kind, v.about)))
        }
        v => println!("{v:?}"),
    }
}
