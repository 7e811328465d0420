//! Makes a failing sequence as short as possible.

/// Removes parts of `commands` for as long as `fails` still answers what is
/// wrong; the shortest sequence, and what is wrong with it.
pub fn shrink(mut commands: Vec<String>, fails: impl Fn(&[String]) -> Option<String>) -> (Vec<String>, Option<String>) {
    let mut what = fails(&commands);
    let mut size = commands.len().div_ceil(2);
    while size > 0 && what.is_some() {
        let mut start = 0;
        while start < commands.len() {
            let end = (start + size).min(commands.len());
            let fewer: Vec<String> = [&commands[..start], &commands[end..]].concat();
            match fails(&fewer) {
                Some(still) => (commands, what) = (fewer, Some(still)),
                None => start = end,
            }
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    (commands, what)
}

#[cfg(test)]
mod tests {
    use super::shrink;

    #[test]
    fn only_what_matters_is_left() {
        let commands: Vec<String> = (0..50).map(|n| n.to_string()).collect();
        let fails = |commands: &[String]| {
            let has = |n: &str| commands.iter().any(|command| command == n);
            (has("7") && has("31")).then(|| "both".to_string())
        };
        let (short, what) = shrink(commands, fails);
        assert_eq!(short, ["7", "31"]);
        assert_eq!(what.as_deref(), Some("both"));
    }
}
