//! Broken, mutated and random programs through the whole front half (parse,
//! lower, print, run, read states, draw), and some through `wolverine check`.
//! Nothing panics, nothing hangs, and every error is a sentence.
//!
//! `WOLVERINE_FUZZ_SEED` and `WOLVERINE_FUZZ_CASES` make longer runs. A file
//! that fails is kept; the message says where.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use c_syntax::{ParseError, Severity, Source, Span};
use execute::interpreter::Interpreter;
use execute::{Executor, RunOptions, Stop, Until};
use ir::{Program, StepId};
use picture::{Options, draw};

/// How long one case may take; most take a tenth of a second.
const PATIENCE: Duration = Duration::from_secs(40);

#[test]
fn nothing_panics_or_hangs() {
    let seed = number("WOLVERINE_FUZZ_SEED", 1);
    let cases = number("WOLVERINE_FUZZ_CASES", 400) as usize;
    let seeds = Arc::new(Seeds::read());
    let folder = Arc::new(tempfile::Builder::new().prefix("wolverine-fuzz-").tempdir().expect("a folder"));
    // What programs write by name goes to the folder.
    std::env::set_current_dir(folder.path()).expect("the folder exists");
    let (next, failures, read) = (AtomicUsize::new(0), Mutex::new(Vec::new()), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let case = next.fetch_add(1, Ordering::Relaxed);
                    if case >= cases {
                        return;
                    }
                    match watched(case as u64, seed, &seeds, &folder) {
                        Ok(was_read) => read.fetch_add(usize::from(was_read), Ordering::Relaxed),
                        Err(failure) => {
                            failures.lock().expect("no panic here").push(failure);
                            0
                        }
                    };
                }
            });
        }
    });
    let (failures, read) = (failures.into_inner().expect("no panic here"), read.into_inner());
    println!("{cases} cases, {read} of them programs");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    assert!(read * 4 > cases, "only {read} of {cases} cases are still programs");
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Runs one case in a thread of its own; whether it was a program.
fn watched(case: u64, seed: u64, seeds: &Arc<Seeds>, folder: &Arc<tempfile::TempDir>) -> Result<bool, String> {
    let mut random = Random::new(seed, case);
    let text = seeds.make(&mut random);
    let path = folder.path().join(format!("case {case}.c"));
    std::fs::write(&path, &text).expect("a file can be written");
    let (send, receive) = channel();
    let thread_path = path.clone();
    let thread = std::thread::spawn(move || {
        let read = c_syntax::with_deep_stack(|| exercise(&thread_path, &mut random));
        let _ = send.send(());
        read
    });
    let verdict = match receive.recv_timeout(PATIENCE) {
        Err(RecvTimeoutError::Timeout) => Err("hangs".to_string()),
        _ => thread.join().map_err(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            text.or(panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default()
        }),
    };
    let kept = std::env::temp_dir().join(format!("wolverine-fuzz-{seed}-{case}.c"));
    match &verdict {
        Ok(_) => std::fs::remove_file(&path).unwrap_or_default(),
        Err(_) => std::fs::write(&kept, &text).unwrap_or_default(),
    }
    verdict.map_err(|what| format!("{}: {what}", kept.display()))
}

// ----- one case -----

fn exercise(path: &Path, random: &mut Random) -> bool {
    if random.below(4) == 0 {
        check_command(path, random);
    }
    let program = match ir::load(path) {
        Ok(program) => Arc::new(program),
        Err(error) => {
            check_error(path, &error);
            return false;
        }
    };
    let printed = ir::print(&program);
    assert!(!printed.contains("Operand"), "debug output in the dump");
    check_places(&program);
    for step in 0..program.steps.len().min(200) as u32 {
        for decision in [None, Some(true), Some(false)] {
            ir::successor(&program, StepId(step), decision, &|_| true);
        }
    }
    for _ in 0..3 {
        run(&program, random);
    }
    true
}

fn check_error(path: &Path, error: &ParseError) {
    is_sentence(&error.to_string());
    if let ParseError::Rejected(diagnostics) = error {
        assert!(diagnostics.iter().any(|d| d.severity == Severity::Error), "rejected without an error");
        let source = c_syntax::read_source(path).expect("it was read before");
        for diagnostic in diagnostics {
            let offset = source.offset(diagnostic.line, diagnostic.column).unwrap_or_default();
            source.caret(Span { start: offset, end: offset + 1 }, &diagnostic.message);
        }
    }
}

fn is_sentence(message: &str) {
    assert!(message.contains(' ') && !message.contains("panicked"), "no sentence: {message}");
}

/// Every step is inside of the file, and can be shown.
fn check_places(program: &Program) {
    let length = program.source.bytes.len() as u32;
    for step in &program.steps {
        assert!(step.span.start <= step.span.end && step.span.end <= length, "a step outside of the file");
        program.source.caret(step.span, "here");
    }
    for notice in &program.notices {
        is_sentence(&notice.message);
        program.source.caret(notice.span, &notice.message);
    }
}

/// Runs with small limits, looks at some states on the way and forces some branches.
fn run(program: &Arc<Program>, random: &mut Random) {
    let arguments = (0..random.below(4)).map(|_| random.below(9).to_string()).collect();
    let options = RunOptions { max_steps: 20_000, max_memory: 64 << 20, arguments, ..RunOptions::default() };
    let mut interpreter = match Interpreter::start(program.clone(), &options) {
        Ok(interpreter) => interpreter,
        Err(error) => return is_sentence(&error.to_string()),
    };
    let mut positions = None;
    for _ in 0..random.below(12) {
        if !matches!(interpreter.position(), Stop::Step(_)) {
            break;
        }
        let until = [Until::Over, Until::Out, Until::End, Until::Into, Until::Into][random.below(5)];
        let breakpoint = StepId(random.below(program.steps.len().max(1)) as u32);
        let breakpoints = if until == Until::Into { BTreeSet::new() } else { BTreeSet::from([breakpoint]) };
        let stopped = match random.below(6) {
            0 => interpreter.decide(random.below(2) == 0),
            _ => interpreter.resume(&until, &breakpoints),
        };
        if let Err(error) = stopped {
            is_sentence(&error.to_string());
        }
        if random.below(3) == 0 {
            look(&mut interpreter, &mut positions);
        }
    }
    if matches!(interpreter.position(), Stop::Step(_)) {
        let _ = interpreter.resume(&Until::End, &BTreeSet::new()).map_err(|error| is_sentence(&error.to_string()));
    }
    if let Stop::Fault(fault) = interpreter.position().clone() {
        is_sentence(&fault.message);
        program.source.caret(fault.span.unwrap_or_default(), &fault.message);
        look(&mut interpreter, &mut positions);
    }
    interpreter.leaks();
}

fn look(interpreter: &mut Interpreter, positions: &mut Option<picture::Positions>) {
    let state = interpreter.state().expect("a state can be read at any time");
    memory::state_to_json(&state).to_string();
    let picture = draw(&state, &Options::default(), positions.as_ref());
    picture.to_svg();
    picture.to_terminal(80);
    *positions = Some(picture.positions().clone());
}

// ----- one case of the command that checks -----

/// `wolverine check` ends with a code of its own, and says something.
fn check_command(path: &Path, random: &mut Random) {
    let options = check_options(path, random);
    let mut command = Command::new(env!("CARGO_BIN_EXE_wolverine"));
    command.arg("check").arg(path).args(["--timeout", "1"]).args(&options).stdin(Stdio::null());
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(matches!(output.status.code(), Some(0..=3)), "check {options:?}: {} {said}", output.status);
    is_sentence(&said);
}

/// Options that may fit the program, or not.
fn check_options(path: &Path, random: &mut Random) -> Vec<String> {
    let text = std::fs::read(path).expect("it was written above");
    let names: Vec<&[u8]> = tokens(&text).into_iter().filter(|token| kind(token) == 0).collect();
    let mut options = Vec::new();
    for _ in 0..random.below(5) {
        let name = names.get(random.below(names.len())).map_or("f".into(), |name| String::from_utf8_lossy(name));
        let number = ["0", "1", "2", "5", "4294967295", "-1"][random.below(6)];
        let option = match random.below(10) {
            0 | 1 => format!("--entry={name}"),
            2 => format!("--reference={}", path.display()),
            3 => format!("--assume={name} {} {number}", REPLACEMENTS[random.below(REPLACEMENTS.len())]),
            4 => format!("--observe={name},result"),
            5 => format!("--unwind={number}"),
            6 => format!("--length={number}"),
            7 => format!("--argc={number}"),
            8 => "--symbolic-globals".into(),
            _ => ["--format=json", "--no-unwinding-assertions"][random.below(2)].into(),
        };
        options.push(option);
    }
    options
}

// ----- making programs -----

/// The programs that others are made of.
struct Seeds {
    programs: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
}

const REPLACEMENTS: &[&str] = &[
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "==",
    "!=",
    "<",
    "<=",
    "=",
    "+=",
    "++",
    "--",
    "!",
    "~",
    "&&",
    "||",
    "?",
    ":",
    ",",
    ";",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "->",
    ".",
    "...",
    "#",
    "int",
    "char",
    "unsigned",
    "long",
    "double",
    "float",
    "void",
    "struct",
    "union",
    "enum",
    "static",
    "const",
    "extern",
    "typedef",
    "short",
    "_Bool",
    "if",
    "else",
    "while",
    "for",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "goto",
    "return",
    "sizeof",
    "0",
    "1",
    "-1",
    "2147483647",
    "-2147483648",
    "0xffffffffffffffff",
    "9223372036854775807LL",
    "1e308",
    "0.0",
    "'a'",
    "\"%s%n\"",
    "\"\"",
    "NULL",
    "1000000000",
    "65536",
    "[1000]",
    "[n]",
    "int *",
    "(char)",
    "(int *)",
    "&*",
    "__func__",
    "free",
    "malloc",
    "printf",
    "realloc",
    "argv",
    "main",
];

impl Seeds {
    fn read() -> Seeds {
        let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs");
        let mut files: Vec<PathBuf> = Vec::new();
        for folder in ["small", "large", "features"] {
            let entries = std::fs::read_dir(programs.join(folder)).expect("the folder of programs");
            files.extend(entries.map(|entry| entry.expect("an entry").path()));
        }
        files.retain(|file| file.extension().is_some_and(|ending| ending == "c"));
        files.sort();
        let programs: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).expect("a program")).collect();
        assert!(programs.len() > 150);
        let words = REPLACEMENTS.iter().map(|text| text.as_bytes().to_vec()).collect();
        Seeds { programs, words }
    }

    fn make(&self, random: &mut Random) -> Vec<u8> {
        match random.below(16) {
            0 => noise(random),
            1 => nest(random),
            2 => self.truncate(random),
            3 => self.splice(random),
            4 => self.flip(random),
            5..=7 => self.mutate(random),
            _ => self.vary(random),
        }
    }

    /// A few operators, types, numbers and names exchanged for others of their
    /// kind: mostly still a program, with other faults.
    fn vary(&self, random: &mut Random) -> Vec<u8> {
        let program = self.any(random).to_vec();
        let mut tokens = tokens(&program);
        let start = tokens.iter().rposition(|token| token.starts_with(b"#")).map_or(0, |i| i + 1);
        for _ in 0..=random.below(3) {
            let places: Vec<usize> = (start..tokens.len()).filter(|&i| !alike(tokens[i]).is_empty()).collect();
            if places.is_empty() {
                break;
            }
            let at = places[random.below(places.len())];
            let others = alike(tokens[at]);
            tokens[at] = others[random.below(others.len())].as_bytes();
        }
        tokens.concat()
    }

    fn any(&self, random: &mut Random) -> &[u8] {
        &self.programs[random.below(self.programs.len())]
    }

    fn truncate(&self, random: &mut Random) -> Vec<u8> {
        let program = self.any(random);
        program[..random.below(program.len())].to_vec()
    }

    /// The first lines of one program and the last of another.
    fn splice(&self, random: &mut Random) -> Vec<u8> {
        let (first, second) = (self.any(random).to_vec(), self.any(random));
        let mut lines: Vec<&[u8]> = first.split_inclusive(|&byte| byte == b'\n').collect();
        lines.truncate(random.below(lines.len() + 1));
        let rest: Vec<&[u8]> = second.split_inclusive(|&byte| byte == b'\n').collect();
        lines.extend(&rest[random.below(rest.len())..]);
        lines.concat()
    }

    fn flip(&self, random: &mut Random) -> Vec<u8> {
        let mut bytes = self.any(random).to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] = random.below(256) as u8;
        }
        bytes
    }

    /// A few tokens deleted, doubled, exchanged or replaced.
    fn mutate(&self, random: &mut Random) -> Vec<u8> {
        let program = self.any(random).to_vec();
        let mut tokens = tokens(&program);
        let start = tokens.iter().rposition(|token| token.starts_with(b"#")).map_or(0, |i| i + 1);
        for _ in 0..=random.below(3) {
            let is_word = |i: &usize| !tokens[*i].trim_ascii().is_empty() && !tokens[*i].starts_with(b"//");
            let places: Vec<usize> = (start..tokens.len()).filter(is_word).collect();
            if places.len() < 2 {
                break;
            }
            let (at, other) = (places[random.below(places.len())], places[random.below(places.len())]);
            match random.below(7) {
                0 => drop(tokens.remove(at)),
                1 => tokens.insert(at, tokens[at]),
                2 => tokens.swap(at, other),
                3 => tokens[at] = tokens[other],
                4 => tokens.insert(at, &self.words[random.below(self.words.len())]),
                _ => match random.below(3) {
                    // One of the same kind keeps most programs correct.
                    0 => tokens[at] = &self.words[random.below(self.words.len())],
                    _ => {
                        let alike = |i: &&usize| kind(tokens[**i]) == kind(tokens[at]);
                        let alike: Vec<usize> = places.iter().filter(alike).copied().collect();
                        tokens[at] = tokens[alike[random.below(alike.len())]];
                    }
                },
            }
        }
        tokens.concat()
    }
}

/// Tokens that may mostly stand in the place of another.
const ALIKE: &[&[&str]] = &[
    &["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "&&", "||", ","],
    &["==", "!=", "<", "<=", ">", ">="],
    &["=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "<<="],
    &["++", "--"],
    &["int", "char", "unsigned", "long", "short", "_Bool", "float", "double", "unsigned char", "long double"],
    &["0", "1", "-1", "2", "3", "4", "5", "10", "100", "1000", "65536", "1000000000", "2147483647", "-2147483648"],
    &["NULL", "0"],
    &["if", "while"],
    &["break", "continue", "return"],
    &["malloc", "free", "abs"],
];

fn alike(token: &[u8]) -> &'static [&'static str] {
    let groups = ALIKE.iter().find(|group| group.iter().any(|text| text.as_bytes() == token));
    groups.copied().unwrap_or_default()
}

/// Names, numbers, text and operators.
fn kind(token: &[u8]) -> u8 {
    match token.first() {
        Some(b) if b.is_ascii_alphabetic() || *b == b'_' => 0,
        Some(b) if b.is_ascii_digit() => 1,
        Some(b'"') => 2,
        Some(b'\'') => 3,
        Some(b'(' | b')' | b'{' | b'}' | b'[' | b']' | b';') => 4,
        _ => 5,
    }
}

/// Cuts a program into tokens and what is between them; directives are one token.
fn tokens(text: &[u8]) -> Vec<&[u8]> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let line = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()).max(1);
        let while_true = |test: &dyn Fn(u8) -> bool| rest.iter().position(|&b| !test(b)).unwrap_or(rest.len());
        let length = match rest[0] {
            b if b.is_ascii_whitespace() => while_true(&|b| b.is_ascii_whitespace()),
            b'#' => line,
            b'/' if rest.starts_with(b"//") => line,
            b'"' | b'\'' => rest[1..line].iter().position(|b| *b == rest[0]).map_or(line, |i| i + 2),
            b if b.is_ascii_alphanumeric() || b == b'_' => while_true(&|b| b.is_ascii_alphanumeric() || b == b'_'),
            _ if ["->", "++", "--", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "<<", ">>"]
                .iter()
                .any(|two| rest.starts_with(two.as_bytes())) =>
            {
                2
            }
            _ => 1,
        };
        tokens.push(&rest[..length]);
        at += length;
    }
    tokens
}

fn noise(random: &mut Random) -> Vec<u8> {
    let words = ["int ", "(", ")", "{", "}", ";", "main", "\"", "'", "\\", "\n", "#", "/*", "//", "0", "\0", "\u{e9}"];
    let length = random.below(2000);
    let mut bytes = Vec::new();
    while bytes.len() < length {
        match random.below(2) {
            0 => bytes.push(random.below(256) as u8),
            _ => bytes.extend_from_slice(words[random.below(words.len())].as_bytes()),
        }
    }
    bytes
}

/// Something inside of itself, up to a few hundred times.
fn nest(random: &mut Random) -> Vec<u8> {
    let shapes = [
        ("(", "c", ")", ";"),
        ("{", "c++;", "}", ""),
        ("if (c) ", "c++;", "", ""),
        ("if (c) c++; else ", "c++;", "", ""),
        ("while (c--) { ", "c = 0;", " break; }", ""),
        ("- ", "c", "", ";"),
        ("f(", "c", ")", ";"),
        ("c ? c : ", "c", "", ";"),
        ("c && ", "c", "", ";"),
        ("({ ", "c;", " });", ""),
        ("switch (c) { case 1: ", "c++;", " }", ""),
        ("for (;;) { ", "return 0;", " }", ""),
        ("*&", "c", "", " = 2;"),
        ("a[", "0", "]", ";"),
    ];
    let (before, middle, after, end) = shapes[random.below(shapes.len())];
    let times = 1 << random.below(10);
    let body = format!("{}{middle}{}{end}", before.repeat(times), after.repeat(times));
    let head = "int f(int n) { return n; }\nint a[3];\n";
    format!("{head}int main(int c, char **v)\n{{\n    {body}\n    return 0;\n}}\n").into_bytes()
}

/// A small generator: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn new(seed: u64, case: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ case.wrapping_mul(0xd1b5_4a32_d192_ed03))
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to `end`, which is not part of it.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

// ----- the parts behind clang, cheaply -----

#[test]
fn text_is_scanned_without_panics() {
    for case in 0..3_000 {
        let mut random = Random::new(7, case);
        let bytes = noise(&mut random);
        let source = Source::new("noise.c", bytes.clone());
        let at = random.below(bytes.len() + 2);
        c_syntax::skip_space(&bytes, at);
        c_syntax::closing_parenthesis(&bytes, at);
        let (start, end) = (random.below(bytes.len() + 1), random.below(bytes.len() + 1));
        let span = Span::new(start.min(end), start.max(end));
        source.text(span);
        source.caret(span, "here");
        let (line, column) = source.line_column(start as u32);
        assert_eq!(source.offset(line, column), Some(start as u32));
    }
}
