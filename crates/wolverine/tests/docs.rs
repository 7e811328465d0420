//! The documents name only paths that exist, and only commands that there are.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn documents() -> Vec<PathBuf> {
    let docs = std::fs::read_dir(root().join("docs")).expect("docs/ is there");
    let mut files: Vec<PathBuf> = docs.map(|entry| entry.expect("readable").path()).collect();
    files.push(root().join("README.md"));
    files.push(root().join("programs/README.md"));
    files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    files
}

/// What stands between backquotes, outside of code blocks.
fn quoted(text: &str) -> Vec<String> {
    let prose: Vec<&str> = text.split("```").step_by(2).collect();
    prose.iter().flat_map(|part| part.split('`').skip(1).step_by(2)).map(String::from).collect()
}

fn links(text: &str) -> Vec<String> {
    let after = text.split("](").skip(1);
    after.filter_map(|rest| rest.split(')').next()).filter(|link| !link.contains("://")).map(String::from).collect()
}

fn exists(from: &Path, path: &str) -> bool {
    let path = path.split('#').next().unwrap_or_default();
    root().join(path).exists() || from.parent().is_some_and(|folder| folder.join(path).exists())
}

#[test]
fn paths_in_the_documents_exist() {
    let tops = ["crates/", "docs/", "programs/", "examples/", "./run", "./test"];
    let mut checked = 0;
    for file in documents() {
        let text = std::fs::read_to_string(&file).expect("a document is readable");
        let named = quoted(&text).into_iter().filter(|word| tops.iter().any(|top| word.starts_with(top)));
        for path in named.filter(|word| !word.contains(['*', ' '])).chain(links(&text)) {
            assert!(exists(&file, &path), "{} names {path}, which does not exist", file.display());
            checked += 1;
        }
    }
    assert!(checked > 10, "only {checked} paths were checked");
}

#[test]
fn commands_in_the_documents_exist() {
    let mut checked = 0;
    for file in documents() {
        let text = std::fs::read_to_string(&file).expect("a document is readable");
        let lines = text.lines().flat_map(|line| line.split('`')).map(|part| part.trim_start_matches("$ "));
        for words in lines.filter(|part| part.starts_with("wolverine ")).map(|part| part.split_whitespace()) {
            let is_plain = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase());
            let command: Vec<&str> = words.skip(1).take_while(is_plain).collect();
            let depth = if command.first() == Some(&"bench") { 2 } else { 1 };
            let binary = env!("CARGO_BIN_EXE_wolverine");
            let help = Command::new(binary).args(command.iter().take(depth)).arg("--help").output();
            let help = help.expect("the binary runs");
            assert!(help.status.success(), "{} names `wolverine {}`", file.display(), command.join(" "));
            checked += 1;
        }
    }
    assert!(checked > 8, "only {checked} commands were checked");
}
