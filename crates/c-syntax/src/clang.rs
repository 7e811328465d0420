//! Runs clang and reads what it says: the syntax tree as JSON, and diagnostics.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use clang_ast::{Id, SourceLocation, SourceRange};
use serde::Deserialize;

use crate::{Diagnostic, ParseError, Severity};

/// A node of clang's tree, of any kind.
pub(crate) type Node = clang_ast::Node<Clang>;

/// What is read of a node. One struct for all kinds: kinds we do not know are read too.
#[derive(Debug, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Clang {
    pub kind: String,
    // Locations leave out what is equal to the one before, so all of them must be read, in order.
    pub loc: SourceLocation,
    pub range: SourceRange,
    pub name: Option<String>,
    #[serde(rename = "type")]
    pub ty: Option<ClangType>,
    pub opcode: Option<String>,
    pub is_postfix: bool,
    pub cast_kind: Option<String>,
    pub value: Option<serde_json::Value>,
    pub storage_class: Option<String>,
    pub tag_used: Option<String>,
    pub complete_definition: bool,
    pub is_bitfield: bool,
    pub is_arrow: bool,
    pub selected: bool,
    pub referenced_decl: Option<Reference>,
    pub referenced_member_decl: Option<Id>,
    pub owned_tag_decl: Option<Reference>,
    pub decl: Option<Reference>,
    pub arg_type: Option<ClangType>,
    #[serde(rename = "computeLHSType")]
    pub compute_lhs_type: Option<ClangType>,
    #[serde(rename = "isGNURange")]
    pub is_gnu_range: bool,
    pub target_label_decl_id: Option<Id>,
    pub decl_id: Option<Id>,
    pub field: Option<Reference>,
    #[serde(rename = "array_filler")]
    pub array_filler: Option<Vec<Node>>,
}

#[derive(Debug, Deserialize, Default, Clone)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ClangType {
    pub qual_type: String,
    pub desugared_qual_type: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Reference {
    pub id: Id,
    #[serde(default)]
    pub kind: String,
    #[serde(default)]
    pub name: Option<String>,
}

/// Flags that make clang take old C as gcc does, with warnings.
pub(crate) const OLD_C: &[&str] = &[
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-type",
    "-Wno-error=return-mismatch",
    "-Wno-return-type",
    "-Wno-unknown-warning-option",
    "-Wno-deprecated-non-prototype",
    "-Wno-strict-prototypes",
];

/// What clang is asked for, and how it talks about it.
pub(crate) const FLAGS: &[&str] = &[
    "-fsyntax-only",
    "-std=gnu11",
    "-fno-color-diagnostics",
    "-fno-crash-diagnostics",
    "-ferror-limit=20",
    "-D__NO_CTYPE",
];

/// Runs clang on `path`, or on `text` in the place of that file.
pub(crate) fn run(path: &Path, text: Option<&[u8]>) -> Result<(Node, Vec<Diagnostic>), ParseError> {
    let answer = run_once(path, text, None)?;
    let answer = match late_void_functions(&answer) {
        Some(names) => run_with_declarations(path, text, &names, answer)?,
        None => answer,
    };
    let Answer { tree, diagnostics, failure } = answer;
    match failure {
        Some(_) if diagnostics.iter().any(|d| d.severity == Severity::Error) => Err(ParseError::Rejected(diagnostics)),
        Some(last_words) => Err(ParseError::Broken(last_words)),
        None => Ok((Trees::new(&tree).next_tree()?, diagnostics)),
    }
}

/// The trees that clang wrote, one after the other.
pub(crate) struct Trees<'a>(serde_json::Deserializer<serde_json::de::SliceRead<'a>>);

impl<'a> Trees<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut reader = serde_json::Deserializer::from_slice(bytes);
        reader.disable_recursion_limit();
        Trees(reader)
    }

    pub fn next_tree(&mut self) -> Result<Node, ParseError> {
        Node::deserialize(&mut self.0).map_err(|error| ParseError::Broken(error.to_string()))
    }

    /// Whether there are no more of them.
    pub fn is_at_end(&mut self) -> bool {
        self.0.end().is_ok()
    }
}

/// What clang answered.
struct Answer {
    tree: Vec<u8>,
    diagnostics: Vec<Diagnostic>,
    /// Its last words, if it did not end well.
    failure: Option<String>,
}

/// The folder of a file.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A program that may take 4 GiB of memory: clang writes out every element of
/// an initialiser, so `int a[] = { [1000000000] = 1 }` would take all there is.
pub(crate) fn limited(name: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "ulimit -v 4194304 2>/dev/null; exec \"$0\" \"$@\""]).arg(name);
    command
}

fn run_once(path: &Path, text: Option<&[u8]>, header: Option<&Path>) -> Result<Answer, ParseError> {
    let name = find_clang()?;
    let mut command = limited(&name);
    command.args(FLAGS).args(OLD_C).args(["-x", "c", "-Xclang", "-ast-dump=json"]);
    header.map(|header| command.arg("-include").arg(header));
    match text {
        Some(_) => command.arg("-I").arg(folder(path)).arg("-"),
        None => command.arg("--").arg(path),
    };
    let (tree, messages, status) = run_command(command, text)?;
    if matches!(status.code(), Some(126 | 127)) {
        return Err(ParseError::NoClang);
    }
    let crashed =
        status.code().is_none_or(|code| code > 128) || messages.contains("error: clang frontend command failed");
    if crashed {
        let why = "it crashed, as it does where a program nests too deeply or initialises a huge array";
        return Err(ParseError::Broken(why.into()));
    }
    let failure = (!status.success()).then(|| last_words(&messages));
    Ok(Answer { tree, diagnostics: parse_diagnostics(&messages), failure })
}

/// Functions that are called before any declaration and turn out to return
/// nothing, where that is all that clang finds wrong. gcc takes them with a warning.
fn late_void_functions(answer: &Answer) -> Option<Vec<String>> {
    let errors = answer.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let names: Option<Vec<String>> = errors
        .map(|error| Some(error.message.strip_prefix("conflicting types for '")?.strip_suffix('\'')?.to_string()))
        .collect();
    let called = |name: &String| {
        let warning = format!("implicit declaration of function '{name}'");
        answer.diagnostics.iter().any(|d| d.severity == Severity::Warning && d.message.starts_with(&warning))
    };
    names.filter(|names| !names.is_empty() && names.iter().all(called))
}

/// Runs clang again with declarations of such functions before the file. If it
/// still finds errors, the first answer holds.
fn run_with_declarations(
    path: &Path,
    text: Option<&[u8]>,
    names: &[String],
    first: Answer,
) -> Result<Answer, ParseError> {
    let broken = |error: std::io::Error| ParseError::Broken(format!("no temporary file could be written: {error}"));
    let mut header = tempfile::Builder::new().suffix(".h").tempfile().map_err(broken)?;
    for name in names {
        writeln!(header, "void {name}();").map_err(broken)?;
    }
    let second = run_once(path, text, Some(header.path()))?;
    if second.failure.is_some() {
        return Ok(first);
    }
    let diagnostics = first.diagnostics.into_iter().map(|d| Diagnostic { severity: Severity::Warning, ..d }).collect();
    Ok(Answer { tree: second.tree, diagnostics, failure: None })
}

/// The newest clang that is installed, by name.
pub(crate) fn find_clang() -> Result<String, ParseError> {
    if let Ok(name) = std::env::var("WOLVERINE_CLANG") {
        return Ok(name);
    }
    let names = std::iter::once("clang".to_string()).chain((14..=25).rev().map(|v| format!("clang-{v}")));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let exists = |name: &String| std::env::split_paths(&path).any(|dir| dir.join(name).is_file());
    names.into_iter().find(exists).ok_or(ParseError::NoClang)
}

/// How long clang may think about one file.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs a command: what it writes without indentation, what it says, how it ended.
pub(crate) fn run_command(
    mut command: Command,
    text: Option<&[u8]>,
) -> Result<(Vec<u8>, String, ExitStatus), ParseError> {
    let stdin = if text.is_some() { Stdio::piped() } else { Stdio::null() };
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|_| ParseError::NoClang)?;
    let mut input = child.stdin.take();
    let (mut out, mut err) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
    // Each pipe has its own reader or writer, or a full pipe would stop both sides.
    let (tree, messages) = std::thread::scope(|scope| {
        scope.spawn(move || input.as_mut().map(|input| input.write_all(text.unwrap_or_default())));
        let messages = scope.spawn(move || {
            let mut bytes = Vec::new();
            let _ = err.read_to_end(&mut bytes);
            bytes
        });
        let tree = scope.spawn(move || read_tree(&mut out));
        let in_time = wait(&mut child, || tree.is_finished());
        // Both ends of the pipes are closed now, one way or the other.
        let tree = tree.join().unwrap_or_default();
        if tree.is_none() {
            let _ = child.kill();
        }
        (tree.filter(|_| in_time), messages.join().unwrap_or_default())
    });
    let status = child.wait().map_err(|error| ParseError::Broken(error.to_string()))?;
    let tree = tree.ok_or(ParseError::TooLarge)?;
    Ok((tree, String::from_utf8_lossy(&messages).into_owned(), status))
}

/// Waits until clang has answered; kills it if that takes too long.
fn wait(child: &mut Child, finished: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    while !finished() {
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            return false;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(4));
    }
    true
}

/// The most that clang may write. Its indentation grows with the square of the
/// nesting, so a program of some thousand nested statements is gigabytes, of
/// which little is kept.
const MOST_WRITTEN: u64 = 24 << 30;
const MOST_KEPT: usize = 2 << 30;
const MOST_INDENTATION: usize = 50_000;

/// Reads the tree without its indentation; `None` if it is too large.
fn read_tree(out: &mut impl Read) -> Option<Vec<u8>> {
    let mut tree = Tree::default();
    let mut chunk = vec![0; 1 << 16];
    let mut written = 0;
    loop {
        match out.read(&mut chunk) {
            Ok(0) | Err(_) => return Some(tree.finish()),
            Ok(length) => {
                written += length as u64;
                tree.add(&chunk[..length]);
            }
        }
        if written > MOST_WRITTEN || tree.bytes.len() > MOST_KEPT || tree.indentation > MOST_INDENTATION {
            return None;
        }
    }
}

/// The lines of the tree so far.
#[derive(Default)]
struct Tree {
    bytes: Vec<u8>,
    /// Where the last line starts, after its indentation.
    line: usize,
    /// The indentation of the last line.
    indentation: usize,
}

impl Tree {
    fn add(&mut self, mut chunk: &[u8]) {
        while !chunk.is_empty() {
            if self.bytes.len() == self.line {
                let indentation = chunk.iter().position(|&byte| byte != b' ').unwrap_or(chunk.len());
                chunk = &chunk[indentation..];
                self.indentation += indentation;
            }
            let Some(end) = chunk.iter().position(|&byte| byte == b'\n') else {
                return self.bytes.extend_from_slice(chunk);
            };
            self.bytes.extend_from_slice(&chunk[..end]);
            self.end_line();
            chunk = &chunk[end + 1..];
        }
    }

    /// The branches of `_Generic` are nodes without a kind, which `clang-ast` does not take: give them one.
    fn end_line(&mut self) {
        const KEY: &[u8] = b"\"associationKind\":";
        if self.bytes[self.line..].starts_with(KEY) {
            self.bytes.splice(self.line..self.line + KEY.len(), *b"\"kind\":");
        }
        self.bytes.push(b'\n');
        (self.line, self.indentation) = (self.bytes.len(), 0);
    }

    fn finish(mut self) -> Vec<u8> {
        self.end_line();
        self.bytes
    }
}

/// Why clang gave up.
fn last_words(messages: &str) -> String {
    let mut lines = messages.lines().filter(|line| !line.trim().is_empty());
    lines.next_back().map_or("it ended without a word".into(), |line| line.to_string())
}

/// Reads lines of the form `file.c:3:5: error: expected ';'`.
pub(crate) fn parse_diagnostics(messages: &str) -> Vec<Diagnostic> {
    messages.lines().filter_map(parse_diagnostic).collect()
}

fn parse_diagnostic(line: &str) -> Option<Diagnostic> {
    let kinds =
        [(": fatal error: ", Severity::Error), (": error: ", Severity::Error), (": warning: ", Severity::Warning)];
    let (at, kind, severity) = kinds
        .iter()
        .filter_map(|(kind, severity)| Some((line.find(kind)?, kind, *severity)))
        .min_by_key(|found| found.0)?;
    let (place, message) = (&line[..at], &line[at + kind.len()..]);
    let message = message.rsplit_once(" [-W").map_or(message, |(message, _)| message).to_string();
    let mut parts = place.rsplitn(3, ':');
    let column = parts.next().and_then(|text| text.parse().ok());
    let line = parts.next().and_then(|text| text.parse().ok());
    match (parts.next(), line, column) {
        (Some(file), Some(line), Some(column)) => {
            Some(Diagnostic { severity, file: file.into(), line, column, message })
        }
        _ => Some(Diagnostic { severity, file: String::new(), line: 0, column: 0, message }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indentation_is_dropped() {
        let mut tree = Tree::default();
        for chunk in ["{\n  ", "  \"a", "b\": \"  \",\n", "    \"associationKind\": 1\n}"] {
            tree.add(chunk.as_bytes());
        }
        assert_eq!(String::from_utf8_lossy(&tree.finish()), "{\n\"ab\": \"  \",\n\"kind\": 1\n}\n");
    }

    #[test]
    fn diagnostics_are_read() {
        let read = parse_diagnostic("a:b.c:3:5: warning: unused variable 'x' [-Wunused]").expect("a warning");
        assert_eq!((read.file.as_str(), read.line, read.column), ("a:b.c", 3, 5));
        assert_eq!(read.message, "unused variable 'x'");
        assert!(parse_diagnostic("  int x = ;").is_none());
    }
}
