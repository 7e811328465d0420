//! The figures of the paper (§7 of "Debug-Localize-Repair: A Symbiotic Construction for Heap Manipulations") and what we aim at.

/// 40 programs, 4 classes of faults, 40 versions each.
pub const VERSIONS: usize = 6400;
/// The share of the versions that is to be repaired correctly.
pub const CORRECT: f64 = 0.99;
/// Half of the repairs are to take less, in milliseconds.
pub const MEDIAN: f64 = 10.0;
/// 99 of 100 repairs are to take less, in milliseconds.
pub const MOST: f64 = 250.0;
/// No repair is to take more, in milliseconds; most of the paper's repairs take less.
pub const WORST: f64 = 5000.0;

/// Table 6, by program: tests, line coverage and branch coverage in percent.
pub const TESTS: [(&str, f64, f64, f64); 10] = [
    ("B1", 17.0, 100.0, 100.0),
    ("B2", 61.0, 89.0, 89.0),
    ("B3", 17.0, 99.0, 100.0),
    ("B4", 335.0, 100.0, 100.0),
    ("B5", 17.0, 100.0, 98.0),
    ("B6", 121.0, 100.0, 100.0),
    ("B7", 61.0, 93.0, 89.0),
    ("B8", 17.0, 98.0, 99.0),
    ("B9", 13.0, 97.0, 87.0),
    ("B10", 17.0, 93.0, 96.0),
];

/// Versions of Figure 19.
pub const RANKED: usize = 200;

/// Points of Figure 19: the method, the effort, and for how many of the 200 versions it is enough.
pub const RANKS: [(&str, f64, usize); 3] = [("gradient", 0.10, 150), ("gradient", 0.25, 200), ("tarantula", 0.25, 33)];

/// What we aim at in Figure 19: within this effort, this share of the versions.
pub const RANKS_AIMED: [(f64, f64); 2] = [(0.10, 0.95), (0.20, 1.0)];

/// Table 7, small set, then large set: by class, the average speed-up over section-wise repair.
pub const SECTION: [[f64; 4]; 2] = [[14.0, 4.0, 10.0, 8.0], [50.0, 20.0, 54.0, 28.0]];

/// Table 7, small set, then large set: by class, the average and the largest speed-up over unconfined repair.
pub const UNCONFINED: [[(f64, f64); 4]; 2] = [
    [(39.0, 151.0), (12.0, 33.0), (31.0, 134.0), (22.0, 64.0)],
    [(190.0, 779.0), (80.0, 215.0), (170.0, 530.0), (86.0, 257.0)],
];

/// Table 8, by problem: fixed, limitation of the implementation, out of scope, vacuous.
pub const STUDENTS: [(&str, [usize; 4]); 5] = [
    ("P1", [30, 2, 8, 7]),
    ("P2", [29, 3, 8, 8]),
    ("P3", [36, 0, 5, 7]),
    ("P4", [46, 0, 6, 9]),
    ("P5", [25, 0, 4, 14]),
];

/// The share of the attempted submissions that is to be fixed.
pub const STUDENTS_AIMED: f64 = 0.9;

/// Widenings of the search, by class.
pub const WIDENINGS: [&str; 4] = ["1–4", "1–4", "1–4", "2–6"];
