//! Runs clang and reads what it says: the syntax tree as JSON, and diagnostics.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
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
const OLD_C: &[&str] = &[
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

/// Runs clang on `path`, or on `text` in the place of that file.
pub(crate) fn run(path: &Path, text: Option<&[u8]>) -> Result<(Node, Vec<Diagnostic>), ParseError> {
    let name = find_clang()?;
    let mut command = Command::new(name);
    command.args(["-fsyntax-only", "-std=gnu11", "-x", "c", "-Xclang", "-ast-dump=json"]);
    command.args(["-fno-color-diagnostics", "-ferror-limit=20", "-D__NO_CTYPE"]).args(OLD_C);
    match text {
        Some(_) => command
            .arg("-I")
            .arg(path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")))
            .arg("-"),
        None => command.arg(path),
    };
    let (tree, messages, success) = run_command(command, text)?;
    let diagnostics = parse_diagnostics(&messages);
    if !success {
        return match diagnostics.iter().any(|d| d.severity == Severity::Error) {
            true => Err(ParseError::Rejected(diagnostics)),
            false => Err(ParseError::Broken(last_words(&messages))),
        };
    }
    let tree = name_associations(tree);
    let mut reader = serde_json::Deserializer::from_slice(&tree);
    reader.disable_recursion_limit();
    let root = Node::deserialize(&mut reader).map_err(|error| ParseError::Broken(error.to_string()))?;
    Ok((root, diagnostics))
}

/// The branches of `_Generic` are nodes without a kind, which `clang-ast` does not take: give them one.
fn name_associations(tree: Vec<u8>) -> Vec<u8> {
    const KEY: &[u8] = b"\"associationKind\":";
    let mut named = Vec::new();
    let mut rest = &tree[..];
    while let Some(at) = rest.windows(KEY.len()).position(|window| window == KEY) {
        named.extend_from_slice(&rest[..at]);
        named.extend_from_slice(b"\"kind\":");
        rest = &rest[at + KEY.len()..];
    }
    if named.is_empty() {
        return tree;
    }
    named.extend_from_slice(rest);
    named
}

/// The newest clang that is installed, by name.
fn find_clang() -> Result<String, ParseError> {
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

fn run_command(mut command: Command, text: Option<&[u8]>) -> Result<(Vec<u8>, String, bool), ParseError> {
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
        let tree = scope.spawn(move || {
            let mut bytes = Vec::new();
            let _ = out.read_to_end(&mut bytes);
            bytes
        });
        kill_when_late(&mut child, || tree.is_finished());
        (tree.join().unwrap_or_default(), messages.join().unwrap_or_default())
    });
    let status = child.wait().map_err(|error| ParseError::Broken(error.to_string()))?;
    Ok((tree, String::from_utf8_lossy(&messages).into_owned(), status.success()))
}

fn kill_when_late(child: &mut Child, finished: impl Fn() -> bool) {
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    while !finished() {
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(4));
    }
}

fn last_words(messages: &str) -> String {
    let lines: Vec<&str> = messages.lines().filter(|line| !line.trim().is_empty()).collect();
    lines.last().map_or("it ended without a word".into(), |line| line.to_string())
}

/// Reads lines of the form `file.c:3:5: error: expected ';'`.
fn parse_diagnostics(messages: &str) -> Vec<Diagnostic> {
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
    fn diagnostics_are_read() {
        let read = parse_diagnostic("a:b.c:3:5: warning: unused variable 'x' [-Wunused]").expect("a warning");
        assert_eq!((read.file.as_str(), read.line, read.column), ("a:b.c", 3, 5));
        assert_eq!(read.message, "unused variable 'x'");
        assert!(parse_diagnostic("  int x = ;").is_none());
    }
}
