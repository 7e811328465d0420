//! What AllRepair with must fault localization (Rothenberg and Grumberg) finds
//! on a machine with two cores, with repairs of up to two mutations.

use super::row::Row;

/// What it finds of TCAS at a level.
pub(super) struct Published {
    /// The versions it repairs.
    pub versions: &'static [u32],
    /// Half of the first repairs come sooner, in milliseconds.
    pub first: f64,
    /// Until the space is covered, in milliseconds; none where it runs into the limit of 60 s.
    pub covered: Option<f64>,
}

const LEVEL_ONE: Published =
    Published { versions: &[1, 3, 6, 9, 10, 12, 20, 25, 31, 32, 39], first: 450.0, covered: Some(6000.0) };
const LEVEL_TWO: Published = Published {
    versions: &[1, 3, 6, 9, 10, 12, 13, 14, 16, 17, 18, 19, 20, 25, 28, 31, 32, 35, 36, 39, 40, 41],
    first: 2900.0,
    covered: None,
};

/// What is known of a level.
pub(super) fn tcas(level: u8) -> Option<Published> {
    match level {
        1 => Some(LEVEL_ONE),
        2 => Some(LEVEL_TWO),
        _ => None,
    }
}

impl Published {
    /// The versions of these rows that it repairs and that are not repaired here.
    pub(super) fn missed(&self, rows: &[Row]) -> Vec<String> {
        let names: Vec<String> = self.versions.iter().map(|number| format!("v{number}")).collect();
        let missed = rows.iter().filter(|row| !row.is_repaired() && names.contains(&row.version));
        missed.map(|row| row.version.clone()).collect()
    }
}
