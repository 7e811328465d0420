//! Random integer arithmetic: the same values as the interpreter computes,
//! which itself is compared with gcc. `WOLVERINE_SEEDS=50` makes a longer run.

use std::fmt::Write;

use expression::{Scope, parse};
use memory::Value;

use crate::moment::stopped;

/// A small generator of random numbers: the same program for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

const TYPES: &[&str] = &[
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

const VALUES: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "7",
    "31",
    "127",
    "-128",
    "255",
    "32767",
    "-32768",
    "65535",
    "2147483647",
    "-2147483647 - 1",
    "4294967295u",
    "9223372036854775807",
    "-9223372036854775807 - 1",
    "18446744073709551615u",
];

const LITERALS: &[&str] =
    &["0", "1", "3u", "'z'", "0x80000000", "2147483648", "5L", "0xffffffffffffffff", "017", "8ul"];

const OPERATORS: &[&str] = &["+", "-", "*", "/", "%", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||"];

fn expression(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return match random.below(4) {
            0 => random.pick(LITERALS).into(),
            _ => format!("v{}", random.below(TYPES.len())),
        };
    }
    let part = |random: &mut Random| {
        let depth = random.below(depth);
        expression(random, depth)
    };
    match random.below(10) {
        0 => format!("({})({})", random.pick(TYPES), part(random)),
        1 => format!("{}({})", random.pick(&["-", "~", "!", "+"]), part(random)),
        2 => format!("({} ? {} : {})", part(random), part(random), part(random)),
        3 => format!("sizeof({})", part(random)),
        // Farther than the type is wide is not defined.
        4 => format!("({} {} ({} & 31))", part(random), random.pick(&["<<", ">>"]), part(random)),
        _ => format!("({} {} {})", part(random), random.pick(OPERATORS), part(random)),
    }
}

/// A program whose variables `v…` are of all types, and where `r…` are the given expressions.
fn program(variables: &[(usize, &str)], expressions: &[String]) -> String {
    let mut text = String::new();
    for (i, (ty, value)) in variables.iter().enumerate() {
        let _ = writeln!(text, "{} v{i} = {value};", TYPES[*ty]);
    }
    for (i, expression) in expressions.iter().enumerate() {
        let _ = writeln!(text, "__typeof__({expression}) r{i};");
    }
    text.push_str("int main(void) {\n");
    for (i, expression) in expressions.iter().enumerate() {
        let _ = writeln!(text, "    r{i} = {expression};");
    }
    text.push_str("    return 0; /* stop */\n}\n");
    text
}

#[test]
fn random_arithmetic_equals_the_interpreter() {
    let seeds = std::env::var("WOLVERINE_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    for seed in 1..=seeds {
        let mut random = Random(seed * 7919);
        let variables: Vec<(usize, &str)> = (0..TYPES.len()).map(|ty| (ty, random.pick(VALUES))).collect();
        let empty = stopped(&program(&variables, &[]));
        let scope = empty.scope();
        // A division by zero stops the interpreter; here it is an error, and such expressions are skipped.
        let defined = |text: &String| parse(text).expect(text).evaluate(&scope).is_ok();
        let made = std::iter::repeat_with(|| {
            let depth = 1 + random.below(4);
            expression(&mut random, depth)
        });
        let expressions: Vec<String> = made.filter(defined).take(400).collect();
        let moment = stopped(&program(&variables, &expressions));
        let scope = Scope { ..moment.scope() };
        for (i, text) in expressions.iter().enumerate() {
            let ours = parse(text).unwrap().evaluate(&scope).unwrap();
            let theirs = parse(&format!("r{i}")).unwrap().evaluate(&scope).unwrap();
            assert_ne!(theirs.value, Value::Uninitialised);
            assert_eq!((ours.value, ours.type_name), (theirs.value, theirs.type_name), "seed {seed}: {text}");
        }
    }
}
