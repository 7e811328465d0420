//! The system headers that a text begins with, read once for many texts.
//!
//! Ten milliseconds of reading a small program go to `<stdio.h>` and its like,
//! and nine tenths of clang's tree are their declarations. So clang keeps them
//! in a precompiled header, whose declarations it leaves out of the trees of the
//! texts, and the converter goes on from what it made of them the first time.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::batch::NAMELESS;
use crate::cc1::Cc1;
use crate::convert::{self, Declared};
use crate::{Source, clang, skip_space};

/// What stands at the beginning of a text: `#include <…>` lines, with comments between.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Block {
    /// The lines without anything else.
    pub includes: String,
    /// Where the last of them ends.
    pub end: usize,
}

impl Block {
    /// The block of a text; it may be empty.
    pub fn of(text: &[u8]) -> Block {
        let mut block = Block { includes: String::new(), end: 0 };
        while let Some((name, end)) = include(text, skip_space(text, block.end)) {
            block.includes.push_str(&format!("#include <{name}>\n"));
            block.end = end;
        }
        block
    }

    /// The text with spaces in the place of the block, so that everything else stays where it is.
    pub fn blank(&self, text: &[u8]) -> Vec<u8> {
        let mut blank = text.to_vec();
        blank[..self.end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        blank
    }
}

/// The header that is included at a place, and where that line ends.
fn include(text: &[u8], at: usize) -> Option<(&str, usize)> {
    let line = text.get(at..)?.split(|&byte| byte == b'\n').next()?;
    let rest = line.strip_prefix(b"#")?.trim_ascii_start().strip_prefix(b"include")?.trim_ascii_start();
    let rest = std::str::from_utf8(rest.strip_prefix(b"<")?).ok()?;
    let (name, after) = rest.split_once('>')?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-' | '+');
    (name.chars().all(is_plain) && after.trim().is_empty()).then_some((name, at + line.len()))
}

/// Headers as clang and the converter left them behind.
pub(crate) struct Headers {
    /// clang's precompiled header.
    pub precompiled: Vec<u8>,
    /// What the converter made of them.
    pub declared: Declared,
}

/// The headers of a block, seen from a folder.
type Key = (PathBuf, String);

enum Known {
    /// So many texts had them.
    Seen(usize),
    Ready(Arc<Headers>),
    /// They cannot be had alone.
    Failed,
}

static KNOWN: Mutex<Option<HashMap<Key, Known>>> = Mutex::new(None);

/// Reading headers alone takes as long as reading this many texts.
const WORTH_IT: usize = 4;
/// More are not kept.
const MOST_KEPT: usize = 32;

/// The headers of a block, if enough texts had them for that to pay; `texts` more have them now.
pub(crate) fn headers(cc1: &Cc1, folder: &Path, block: &Block, texts: usize) -> Option<Arc<Headers>> {
    if block.includes.is_empty() {
        return None;
    }
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    let key = (folder.to_path_buf(), block.includes.clone());
    if known.len() >= MOST_KEPT && !known.contains_key(&key) {
        known.clear();
    }
    let entry = known.entry(key).or_insert(Known::Seen(0));
    if let Known::Seen(seen) = entry {
        *seen += texts;
        if *seen >= WORTH_IT {
            *entry =
                precompile(cc1, folder, &block.includes).map_or(Known::Failed, |read| Known::Ready(Arc::new(read)));
        }
    }
    match entry {
        Known::Ready(headers) => Some(headers.clone()),
        _ => None,
    }
}

/// Forgets headers that clang does not take any more, as one of their files has changed.
pub(crate) fn forget(folder: &Path, block: &Block) {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert_default().remove(&(folder.to_path_buf(), block.includes.clone()));
}

fn precompile(cc1: &Cc1, folder: &Path, includes: &str) -> Option<Headers> {
    let output = tempfile::Builder::new().suffix(".pch").tempfile().ok()?.into_temp_path();
    let (mut emit, mut dump) = (cc1.command(folder), cc1.command(folder));
    // From memory: clang would look for a file again whenever the precompiled header is used.
    emit.args(["-emit-pch", "-x", "c", "-"]).arg("-o").arg(&output);
    dump.args(["-ast-dump=json", "-x", "c", "-"]);
    let (written, dumped) = std::thread::scope(|scope| {
        let written = scope.spawn(|| clang::run_command(emit, Some(includes.as_bytes())));
        let dumped = clang::run_command(dump, Some(includes.as_bytes()));
        (written.join(), dumped)
    });
    let ((_, said, written), (tree, warned, dumped)) = (written.ok()?.ok()?, dumped.ok()?);
    // Headers that clang has something to say about are read with each text.
    if !written.success() || !dumped.success() || !said.is_empty() || !warned.is_empty() {
        return None;
    }
    let root = clang::Trees::new(&tree).next_tree().ok()?;
    let source = Source::new(NAMELESS, includes.into());
    let declared = convert::declarations(&source, NAMELESS, &root);
    Some(Headers { precompiled: std::fs::read(&output).ok()?, declared })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_is_what_is_sure() {
        let includes = |text: &str| Block::of(text.as_bytes()).includes;
        let two = "#include <stdio.h>\n#include <sys/time.h>\n";
        assert_eq!(includes("// a\n#include <stdio.h>\n/* b\n */\n # include<sys/time.h> \nint x;"), two);
        assert_eq!(includes("#include <stdio.h>\n#define X 1\n#include <math.h>\n"), "#include <stdio.h>\n");
        for other in
            ["", "int x;\n", "#include \"a.h\"\n", "#include <a.h> // a\n", "#include <a.h> \\\n", "#include A"]
        {
            assert_eq!(includes(other), "", "{other}");
        }
    }

    #[test]
    fn nothing_moves_when_it_is_blank() {
        let text = b"/* x */\n#include <stdio.h>\nint x;\n";
        assert_eq!(Block::of(text).blank(text), b"       \n                  \nint x;\n");
    }
}
