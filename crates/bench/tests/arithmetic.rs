//! Random arithmetic over all integer and floating types: the interpreter must
//! compute what gcc computes, conversion by conversion. `WOLVERINE_SEEDS=50`
//! makes a longer run of it.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::Command;
use std::sync::Arc;

use execute::interpreter::Interpreter;
use execute::{Executor, RunOptions, Stop, Until};

/// A small generator of random numbers: the same program for the same seed.
struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.next(of.len() as u64) as usize]
    }
}

const TYPES: &[&str] = &[
    "_Bool",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "float",
    "double",
];

const INTEGERS: usize = 10;

const VALUES: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "7",
    "100",
    "127",
    "128",
    "-128",
    "255",
    "256",
    "32767",
    "-32768",
    "65535",
    "2147483647",
    "-2147483647 - 1",
    "4294967295u",
    "123456789",
    "9223372036854775807",
];

/// Only for floating variables: one that does not fit an integer is undefined.
const FRACTIONS: &[&str] = &["1e3", "0.5", "-2.75", "3e9", "-1e-3"];

/// An expression over `v0 … v11`, one variable of each type. Divisors are never
/// zero and shifts never too far, so that C defines the result.
fn expression(random: &mut Random, depth: u32) -> String {
    let integer = |random: &mut Random| format!("v{}", random.next(INTEGERS as u64));
    if depth == 0 {
        return match random.next(4) {
            0 => random.next(1000).to_string(),
            _ => format!("v{}", random.next(TYPES.len() as u64)),
        };
    }
    let part = |random: &mut Random| expression(random, depth - 1);
    match random.next(12) {
        0..=3 => {
            let op = random.pick(&["+", "-", "*", "<", "<=", "==", "!=", ">", ">="]);
            format!("({} {op} {})", part(random), part(random))
        }
        4 => format!("({} / (({} & 15) | 1))", integer(random), integer(random)),
        5 => format!("({} % (({} & 15) | 1))", integer(random), integer(random)),
        6 => format!("({} {} ({} & 7))", integer(random), random.pick(&["<<", ">>"]), integer(random)),
        7 => format!("({} {} {})", integer(random), random.pick(&["&", "|", "^", "&&", "||"]), integer(random)),
        8 => format!("({}{})", random.pick(&["-", "~", "!", "+"]), integer(random)),
        9 => format!("(({} != 0) ? {} : {})", part(random), part(random), part(random)),
        // Only to types that hold every value of an `int`: a float that does not fit is undefined.
        10 => format!("(({}){})", TYPES[random.next(INTEGERS as u64) as usize], integer(random)),
        _ => format!("({}({}))", random.pick(&["(double)", "(float)", ""]), part(random)),
    }
}

fn program(seed: u64, count: usize) -> String {
    let mut random = Random(seed);
    let mut text = String::from("#include <stdio.h>\n");
    for function in 0..count.div_ceil(20) {
        let _ = writeln!(text, "void f{function}(void) {{");
        for (i, ty) in TYPES.iter().enumerate() {
            let value = random.pick(if i < INTEGERS { VALUES } else { FRACTIONS });
            let _ = writeln!(text, "    {ty} v{i} = {value};");
        }
        for _ in 0..20 {
            let target = random.next(INTEGERS as u64);
            let depth = 1 + random.next(3) as u32;
            // The comparison keeps a floating value from being converted to an integer it does not fit.
            let _ = writeln!(text, "    printf(\"%.17g\\n\", (double)({}));", expression(&mut random, depth));
            let op = random.pick(&["+=", "-=", "*=", "|=", "&=", "^="]);
            let _ = writeln!(text, "    v{target} {op} v{};", random.next(INTEGERS as u64));
            let _ = writeln!(text, "    printf(\"%lld %d\\n\", (long long)v{target}, (int)sizeof(v{target} + 0));");
        }
        text.push_str("}\n");
    }
    text.push_str("int main(void) {\n");
    for function in 0..count.div_ceil(20) {
        let _ = writeln!(text, "    f{function}();");
    }
    text.push_str("    return 0;\n}\n");
    text
}

#[test]
fn random_arithmetic_equals_gcc() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let seeds = std::env::var("WOLVERINE_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    for seed in 1..=seeds {
        let path = folder.path().join(format!("random{seed}.c"));
        std::fs::write(&path, program(seed * 7919, 400)).expect("the folder is writable");
        let loaded = Arc::new(ir::load(&path).expect("the generated program is C"));
        let mut interpreter = Interpreter::start(loaded, &RunOptions::default()).expect("it starts");
        let stop = interpreter.resume(&Until::End, &BTreeSet::new()).expect("it runs");
        assert_eq!(stop, Stop::Exited(0), "seed {seed}");
        let ours = String::from_utf8(interpreter.output().expect("captured")).expect("digits");

        let binary = folder.path().join("native");
        // Signed overflow wraps here: the interpreter wraps, and programs rely on it.
        let compiled = Command::new("gcc").args(["-w", "-O0", "-fwrapv", "-o"]).arg(&binary).arg(&path).status();
        assert!(compiled.expect("gcc is installed").success());
        let native = String::from_utf8(Command::new(&binary).output().expect("it runs").stdout).expect("digits");

        assert!(native.lines().count() > 700, "the program prints its results");
        for (number, (ours, native)) in ours.lines().zip(native.lines()).enumerate() {
            // gcc folds `0 - x` to `-x` even where x is a zero, so the sign of a zero is chance.
            let plain = |line: &'_ str| if line == "-0" { "0".to_string() } else { line.to_string() };
            let (ours, native) = (plain(ours), plain(native));
            assert_eq!(ours, native, "seed {seed}, line {} of the output", number + 1);
        }
        assert_eq!(ours.lines().count(), native.lines().count());
    }
}
