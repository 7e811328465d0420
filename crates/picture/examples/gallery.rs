//! Writes a gallery of pictures, as SVG and PNG, into the folder given as argument.

#[path = "../tests/fixtures/mod.rs"]
mod fixtures;

use std::path::Path;
use std::time::Instant;
use std::{env, fs, io};

use memory::{State, changes};
use picture::{Options, Picture, draw};

fn main() -> io::Result<()> {
    let folder = env::args().nth(1).unwrap_or_else(|| "gallery".to_string());
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    for (name, state) in singles() {
        save(folder, name, &draw(&state, &Options::default(), None))?;
    }
    sequence(folder, "reversal", &fixtures::reversal())?;
    sequence(folder, "rotation", &fixtures::rotation())?;
    sequence(folder, "build-list", &fixtures::appending())?;
    sequence(folder, "build-tree", &fixtures::inserting())?;
    timing(folder, "list-1000", &fixtures::long_list(1000))?;
    timing(folder, "tree-1000", &fixtures::large_tree(1000))?;
    timing(folder, "list-10000", &fixtures::long_list(10_000))
}

fn singles() -> Vec<(&'static str, State)> {
    vec![
        ("list", fixtures::singly_list()),
        ("doubly", fixtures::doubly_list()),
        ("doubly-mid-reversal", fixtures::doubly_mid_reversal()),
        ("circular", fixtures::circular_list()),
        ("shared-tail", fixtures::shared_tail()),
        ("search-tree", fixtures::search_tree()),
        ("hash-table", fixtures::hash_table()),
        ("array", fixtures::array()),
        ("two-dimensional", fixtures::two_dimensional()),
        ("pointer-to-pointer", fixtures::pointer_to_pointer()),
        ("dangling", fixtures::dangling_pointers()),
        ("leak", fixtures::cyclic_garbage()),
        ("mixed", fixtures::mixed()),
    ]
}

fn save(folder: &Path, name: &str, picture: &Picture) -> io::Result<()> {
    fs::write(folder.join(format!("{name}.svg")), picture.to_svg())?;
    fs::write(folder.join(format!("{name}.dot")), picture.to_dot())?;
    fs::write(folder.join(format!("{name}.txt")), picture.to_terminal(100))?;
    match picture.to_png(1.5) {
        Ok(png) => fs::write(folder.join(format!("{name}.png")), png),
        Err(error) => {
            println!("{name}: {error}");
            Ok(())
        }
    }
}

/// Draws states one after the other, each with what changed.
fn sequence(folder: &Path, name: &str, states: &[State]) -> io::Result<()> {
    let mut last: Option<(Picture, &State)> = None;
    for (number, state) in states.iter().enumerate() {
        let options = last.as_ref().map(|(_, old)| Options::highlighting(&changes(old, state))).unwrap_or_default();
        let picture = draw(state, &options, last.as_ref().map(|(picture, _)| picture.positions()));
        save(folder, &format!("{name}-{number:02}"), &picture)?;
        last = Some((picture, state));
    }
    Ok(())
}

/// The best of five, since other work on the machine only ever makes it slower.
fn timing(folder: &Path, name: &str, state: &State) -> io::Result<()> {
    let best = |work: &dyn Fn()| (0..5).map(|_| time(work)).fold(f64::MAX, f64::min);
    let picture = draw(state, &Options::default(), None);
    let fresh = best(&|| drop(draw(state, &Options::default(), None)));
    let again = best(&|| drop(draw(state, &Options::default(), Some(picture.positions()))));
    let svg = best(&|| drop(picture.to_svg()));
    let (dot, text) = (best(&|| drop(picture.to_dot())), best(&|| drop(picture.to_terminal(100))));
    println!(
        "{name}: draw {fresh:.1} ms, again {again:.1} ms, SVG {svg:.1} ms, DOT {dot:.1} ms, terminal {text:.1} ms"
    );
    save(folder, name, &picture)
}

fn time(work: &dyn Fn()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1000.0
}
