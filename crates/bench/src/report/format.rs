//! Numbers as the page shows them.

/// What stands where nothing was measured.
pub const NOTHING: &str = "–";

/// About three significant digits: `0.042`, `3.10`, `45.2`, `1 250`.
pub fn number(value: f64) -> String {
    let decimals = match value.abs() {
        0.0 => 0,
        size if size < 0.1 => 3,
        size if size < 10.0 => 2,
        size if size < 100.0 => 1,
        _ => 0,
    };
    grouped(&format!("{value:.decimals$}"))
}

/// A number that may be unknown.
pub fn optional(value: Option<f64>) -> String {
    value.map_or_else(|| NOTHING.to_string(), number)
}

/// A number with no more decimals than it needs, which may be unknown.
pub fn whole(value: Option<f64>) -> String {
    value.map_or_else(|| NOTHING.to_string(), plain)
}

/// A number with one decimal, which may be unknown.
pub fn tenths(value: Option<f64>) -> String {
    value.map_or_else(|| NOTHING.to_string(), |value| grouped(&format!("{value:.1}")))
}

/// A whole number: `6 400`.
pub fn count(value: usize) -> String {
    grouped(&value.to_string())
}

/// A share: `99.4 %`; it is `100 %` only if nothing is missing, and `0 %` only if there is nothing.
pub fn percent(share: Option<f64>) -> String {
    match share {
        None => NOTHING.to_string(),
        Some(share) if share == 0.0 || share == 1.0 => whole_percent(share),
        Some(share) => format!("{:.1} %", (share * 100.0).clamp(0.1, 99.9)),
    }
}

/// A share without decimals, for axes: `20 %`.
pub fn whole_percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// A time on an axis: `1 ms`, `10 s`.
pub fn duration(milliseconds: f64) -> String {
    match milliseconds {
        ms if ms < 1.0 => format!("{} µs", plain(ms * 1000.0)),
        ms if ms < 1000.0 => format!("{} ms", plain(ms)),
        ms => format!("{} s", plain(ms / 1000.0)),
    }
}

/// The shortest text of a tick's number.
pub fn plain(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    grouped(&rounded.to_string())
}

/// Narrow spaces between groups of three digits.
fn grouped(text: &str) -> String {
    let whole = text.find('.').unwrap_or(text.len());
    let mut out = String::new();
    for (index, letter) in text.char_indices() {
        let left = whole.saturating_sub(index);
        if index > 0 && left > 0 && left % 3 == 0 && out.ends_with(|last: char| last.is_ascii_digit()) {
            out.push('\u{202f}');
        }
        out.push(letter);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let shown: Vec<String> = [0.0, 0.0421, 0.42, 3.1, 45.23, 450.4, 1250.4].into_iter().map(number).collect();
        assert_eq!(shown, ["0", "0.042", "0.42", "3.10", "45.2", "450", "1\u{202f}250"]);
    }

    #[test]
    fn a_share_is_whole_only_if_nothing_is_missing() {
        assert_eq!(percent(Some(0.99999)), "99.9 %");
        assert_eq!(
            (percent(Some(1.0)), percent(Some(0.5)), percent(None)),
            ("100 %".into(), "50.0 %".into(), "–".into())
        );
    }

    #[test]
    fn times_have_units() {
        assert_eq!([0.1, 10.0, 1000.0, 0.5].map(duration), ["100 µs", "10 ms", "1 s", "500 µs"]);
    }
}
