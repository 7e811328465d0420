//! Prints the syntax tree of a C file, for people who change the front end.
fn main() {
    let path = std::env::args().nth(1).expect("a C file");
    match c_syntax::with_deep_stack(|| c_syntax::parse(std::path::Path::new(&path)).map(|unit| format!("{unit:#?}"))) {
        Ok(unit) => println!("{unit}"),
        Err(error) => println!("{error}"),
    }
}
