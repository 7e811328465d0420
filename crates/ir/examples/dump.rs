//! Prints the IR of a C file.
fn main() {
    for path in std::env::args().skip(1) {
        match ir::load(std::path::Path::new(&path)) {
            Ok(program) => println!("{}{:?}", ir::print(&program), program.notices),
            Err(error) => println!("{path}: {error} {error:?}"),
        }
    }
}
