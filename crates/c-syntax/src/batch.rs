//! Several texts in one run of clang.
//!
//! What comes out is exactly what reading each text alone gives. Where that is
//! in doubt, the text is read alone: if clang finds errors in it, if it has
//! directives that reach beyond it, or if it uses what only its headers know.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cc1::Cc1;
use crate::headers::{self, Block, Headers};
use crate::{Diagnostic, ParseError, Severity, Source, Unit, clang, convert};

/// The name of a text from memory in what clang says.
pub(crate) const NAMELESS: &str = "<stdin>";
/// So many texts are read by one process; it frees nothing before its end.
const MOST_AT_ONCE: usize = 16;
/// Longer texts are read alone.
const LONGEST: usize = 200_000;

/// Parses texts, together where that can be done.
pub(crate) fn parse(sources: &[Arc<Source>]) -> Vec<Result<Unit, ParseError>> {
    let mut units: Vec<Option<Unit>> = sources.iter().map(|_| None).collect();
    for batch in batches(sources) {
        for (&number, unit) in batch.numbers.iter().zip(batch.parse(sources)) {
            units[number] = unit;
        }
    }
    let alone = |(unit, source): (Option<Unit>, &Arc<Source>)| unit.map_or_else(|| parse_alone(source), Ok);
    units.into_iter().zip(sources).map(alone).collect()
}

fn parse_alone(source: &Arc<Source>) -> Result<Unit, ParseError> {
    let named = |error| match error {
        ParseError::Rejected(all) => {
            ParseError::Rejected(all.into_iter().map(|one| named_after(source, one)).collect())
        }
        other => other,
    };
    let (root, warnings) = clang::run(&source.path, Some(&source.bytes)).map_err(named)?;
    let warnings = warnings.into_iter().map(|one| named_after(source, one)).collect();
    Ok(convert::convert(source.clone(), NAMELESS, root, warnings))
}

/// What was said of a text that came from memory is said of its file.
fn named_after(source: &Source, diagnostic: Diagnostic) -> Diagnostic {
    match diagnostic.file == NAMELESS {
        true => Diagnostic { file: source.path.to_string_lossy().into_owned(), ..diagnostic },
        false => diagnostic,
    }
}

/// Texts that are read together: of one folder, with the same headers.
struct Batch {
    numbers: Vec<usize>,
    folder: PathBuf,
    includes: String,
}

fn batches(sources: &[Arc<Source>]) -> Vec<Batch> {
    let mut batches: Vec<Batch> = Vec::new();
    for (number, source) in sources.iter().enumerate().filter(|(_, source)| stands_alone(&source.bytes)) {
        let (folder, includes) = (clang::folder(&source.path), Block::of(&source.bytes).includes);
        let fits = |batch: &&mut Batch| {
            batch.numbers.len() < MOST_AT_ONCE && batch.folder == folder && batch.includes == includes
        };
        match batches.iter_mut().find(fits) {
            Some(batch) => batch.numbers.push(number),
            None => batches.push(Batch { numbers: vec![number], folder: folder.to_path_buf(), includes }),
        }
    }
    batches
}

impl Batch {
    /// A unit for each text; none for those that have to be read alone.
    fn parse(&self, sources: &[Arc<Source>]) -> Vec<Option<Unit>> {
        let nothing = || self.numbers.iter().map(|_| None).collect();
        let Some(cc1) = Cc1::find() else { return nothing() };
        let sources: Vec<&Arc<Source>> = self.numbers.iter().map(|&number| &sources[number]).collect();
        let block = Block::of(&sources[0].bytes);
        let headers = headers::headers(&cc1, &self.folder, &block, sources.len());
        if sources.len() == 1 && headers.is_none() {
            return nothing();
        }
        self.read(&cc1, &sources, headers.as_deref()).unwrap_or_else(|| {
            headers::forget(&self.folder, &block);
            nothing()
        })
    }

    fn read(&self, cc1: &Cc1, sources: &[&Arc<Source>], headers: Option<&Headers>) -> Option<Vec<Option<Unit>>> {
        let temporary = tempfile::tempdir().ok()?;
        let files = write(temporary.path(), sources, headers.is_some())?;
        let mut command = cc1.command(&self.folder);
        if let Some(headers) = headers {
            let precompiled = temporary.path().join("headers.pch");
            std::fs::write(&precompiled, &headers.precompiled).ok()?;
            command.arg("-include-pch").arg(precompiled);
        }
        // `__FILE__`, and with it `assert`, says what it says of a text that is read alone.
        command.args(files.iter().map(|file| format!("-fmacro-prefix-map={file}={NAMELESS}")));
        command.args(["-ast-dump=json", "-ferror-limit", "0", "-x", "c"]).args(&files);
        let (trees, messages, status) = clang::run_command(command, None).ok()?;
        let said = attribute(clang::parse_diagnostics(&messages), &files)?;
        // After a fatal error, clang is silent about everything that follows.
        let errors = said.iter().flatten().any(is_error);
        if messages.contains(": fatal error: ") || status.code() != Some(i32::from(errors)) {
            return None;
        }
        let mut trees = clang::Trees::new(&trees);
        let mut units = Vec::new();
        for ((source, file), warnings) in sources.iter().zip(&files).zip(said) {
            let root = trees.next_tree().ok()?;
            let warnings: Vec<Diagnostic> = warnings.into_iter().map(|one| named_after(source, one)).collect();
            units.push(match (warnings.iter().any(is_error), headers) {
                (true, _) => None,
                (false, Some(headers)) => {
                    convert::convert_after(&headers.declared, (*source).clone(), file, root, warnings)
                }
                (false, None) => Some(convert::convert((*source).clone(), file, root, warnings)),
            });
        }
        trees.is_at_end().then_some(units)
    }
}

/// Writes the texts to files. Their names are those that clang gives to them.
fn write(folder: &Path, sources: &[&Arc<Source>], blank: bool) -> Option<Vec<String>> {
    let one = |(number, source): (usize, &&Arc<Source>)| {
        let file = folder.join(format!("{number}.c")).into_os_string().into_string().ok()?;
        let bytes = &source.bytes;
        let written =
            if blank { std::fs::write(&file, Block::of(bytes).blank(bytes)) } else { std::fs::write(&file, bytes) };
        written.ok().map(|()| file)
    };
    sources.iter().enumerate().map(one).collect()
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error
}

/// What was said of each file; nothing if something was said of another one.
fn attribute(diagnostics: Vec<Diagnostic>, files: &[String]) -> Option<Vec<Vec<Diagnostic>>> {
    let mut said: Vec<Vec<Diagnostic>> = files.iter().map(|_| Vec::new()).collect();
    for diagnostic in diagnostics {
        let number = files.iter().position(|file| *file == diagnostic.file)?;
        said[number].push(Diagnostic { file: NAMELESS.into(), ..diagnostic });
    }
    Some(said)
}

/// Whether nothing in a text depends on its place and name, or stays in force after its end.
fn stands_alone(text: &[u8]) -> bool {
    let reaches = ["_Pragma", "__BASE_FILE__", "__FILE_NAME__", "__TIMESTAMP__", "__has_include", "%:"];
    let has = |word: &str| text.windows(word.len()).any(|window| window == word.as_bytes());
    text.len() <= LONGEST
        && !text.starts_with(b"\xef\xbb\xbf")
        && text.split(|&byte| byte == b'\n').all(is_plain_line)
        && !reaches.into_iter().any(has)
}

/// Whether a line has no directive but those that are known to be harmless.
fn is_plain_line(line: &[u8]) -> bool {
    let Some(sign) = line.iter().position(|&byte| byte == b'#') else { return true };
    let before = &line[..sign];
    // A directive may stand behind a comment.
    if !before.trim_ascii().is_empty() && !before.windows(2).any(|end| end == b"*/") {
        return true;
    }
    let rest = line[sign + 1..].trim_ascii_start();
    let length = rest.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(rest.len());
    let (word, after) = rest.split_at(length);
    match word {
        b"include" => after.trim_ascii_start().starts_with(b"<"),
        b"define" | b"undef" | b"if" | b"ifdef" | b"ifndef" | b"elif" | b"else" | b"endif" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
