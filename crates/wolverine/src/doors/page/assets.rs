//! The files of the page, which are part of the program.

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("assets/", $name)))),*]
    };
}

const FILES: &[(&str, &[u8])] = files![
    "index.html",
    "style.css",
    "icon.svg",
    "main.js",
    "connection.js",
    "console.js",
    "correct.js",
    "curve.js",
    "dom.js",
    "expect.js",
    "highlight.js",
    "moments.js",
    "motion.js",
    "picture.js",
    "program.js",
    "repairs.js",
    "run.js",
    "source.js",
    "tour.js",
    "view.js",
];

/// A file with its type.
pub(super) fn find(name: &str) -> Option<(&'static str, &'static [u8])> {
    let (name, bytes) = FILES.iter().find(|(known, _)| *known == name)?;
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/javascript; charset=utf-8",
    };
    Some((kind, bytes))
}
