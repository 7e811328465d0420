//! Minimal repairs by solving are those that trying all mutants on all inputs
//! finds. All programs and levels are `wolverine bench integers`.

use std::path::{Path, PathBuf};

use bench::integers::brute::{Options, Summary, run};
use repair::scheme::mutation::Level;
use repair::strategy::minimal::{Blocking, Way};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/integers")
}

fn compare(filter: &str, options: Options) -> Summary {
    let options = Options { filter: Some(filter.into()), ..options };
    let summary = run(&options).expect("the programs can be read");
    assert_eq!(summary.differences(), 0, "{summary}");
    summary
}

/// Loops, arrays, strings, assertions, standard input, arguments.
const SMALL: [&str; 10] = ["01-", "03-", "05-", "07-", "25-", "31-", "44-", "46-", "53-", "55-"];

#[test]
fn single_mutations_of_level_three() {
    for filter in SMALL {
        compare(filter, Options::new(folder(), Level::Three, 1, 0));
    }
}

#[test]
fn pairs_of_mutations() {
    let mut found = 0;
    for filter in ["02-", "31-", "46-", "47-"] {
        let summary = compare(filter, Options::new(folder(), Level::Two, 2, 100));
        found += summary.cases.iter().map(|case| case.found).sum::<usize>();
    }
    // One of the pairs each of `46` and `47`, three of `31`; two and one single ones.
    assert_eq!(found, 8);
}

#[test]
fn the_published_searches_find_the_same() {
    for blocking in [Blocking::Must, Blocking::Itself] {
        for filter in ["31-", "47-"] {
            let way = Way::Enumerate(blocking);
            compare(filter, Options { way, ..Options::new(folder(), Level::Two, 2, 100) });
        }
    }
}
