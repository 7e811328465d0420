use check::*;
use repair::scheme::mutation::Level;
use repair::strategy::minimal::*;
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
    let level = match std::env::var("LEVEL").as_deref() {
        Ok("1") => Level::One,
        Ok("3") => Level::Three,
        _ => Level::Two,
    };
    let max_size = std::env::var("SIZE").map_or(2, |s| s.parse().unwrap());
    let way = match std::env::var("BLOCK").as_deref() {
        Ok("must") => Way::Enumerate(Blocking::Must),
        Ok("itself") => Way::Enumerate(Blocking::Itself),
        _ => Way::Tree,
    };
    let task = load(args[1].as_ref(), args.get(2).map(|s| s.as_ref()), &options).unwrap();
    let wanted = Wanted {
        level,
        max_size,
        way,
        check: std::env::var("NOCHECK").is_err(),
        first: std::env::var("FIRST").is_ok(),
        ..Wanted::default()
    };
    c_syntax::with_deep_stack(|| {
        let r = repairs(&task, &wanted, &mut |_, _| {});
        println!("{:?} {:?} {:?}", r.end, r.counts, r.times);
        if std::env::var("QUIET").is_err() {
            for f in &r.found {
                println!("  {:?} {:?} whole={:?}", f.after, f.what, f.proof.as_ref().map(|p| p.is_whole()));
            }
        } else if let Some(f) = r.found.first() {
            println!("  {:?}", f.what)
        }
    });
}
