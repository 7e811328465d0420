//! Random C programs: the same program for the same seed.
//!
//! A program has integers of all types, arrays, structs and pointers, calls
//! and all control flow. Most of its runs end well; some do what C does not
//! define, which is what is looked for. One statement stands on one line, so
//! that a program can be made smaller by leaving out lines.

use std::fmt::Write;

/// A small generator of random numbers.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % below
    }

    pub fn one_in(&mut self, of: u64) -> bool {
        self.next(of) == 0
    }

    pub fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.next(of.len() as u64) as usize]
    }

    /// A value for an input: mostly small, sometimes at the end of a type.
    pub fn input(&mut self) -> i128 {
        match self.next(8) {
            0..=4 => i128::from(self.next(9)) - 3,
            5 => i128::from(self.next(600)) - 300,
            6 => [127, -128, 255, 32767, -32768, 65535, i32::MAX as i128, i32::MIN as i128, u32::MAX as i128]
                [self.next(9) as usize],
            _ => i128::from(self.next(u64::MAX) as i64),
        }
    }
}

const TYPES: &[(&str, &str)] = &[
    ("_Bool", "bool"),
    ("char", "char"),
    ("unsigned char", "uchar"),
    ("short", "short"),
    ("unsigned short", "ushort"),
    ("int", "int"),
    ("int", "int"),
    ("int", "int"),
    ("unsigned", "uint"),
    ("long", "long"),
    ("unsigned long", "ulong"),
];

const CONSTANTS: &[&str] = &[
    "0",
    "1",
    "(-1)",
    "2",
    "3",
    "5",
    "7",
    "10",
    "100",
    "127",
    "128",
    "255",
    "65535",
    "2147483647",
    "(-2147483647 - 1)",
    "4294967295u",
    "'a'",
    "B",
    "C",
    "9223372036854775807",
];

const START: &str = "#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);
enum letter { A, B = 5, C };
struct inner { char tag; int value; };
struct outer { short first; struct inner in; unsigned char bytes[3]; long last; };
struct three { int x, y, z; };
int g0 = 3;
unsigned char g1 = 250;
static long g2;
enum letter g3 = B;
int row[4] = { 4, 3, 2 };
short grid[3][2] = { { 1, 2 }, { 3, 4 } };
struct outer whole = { 1, { 'x', 2 }, { 3, 4 }, 5 };
struct three many[3] = { { 1, 2, 3 }, { 4, 5 } };
int *where = &row[1];
";

/// What a program may do.
#[derive(Clone, Copy)]
pub struct Wish {
    /// Whether runs may do what C does not define (other than by an assertion).
    pub undefined: bool,
    /// Whether shifts may go too far.
    pub shifts: bool,
}

/// What can be named at a place.
#[derive(Clone, Default)]
struct Scope {
    /// Integers that can be assigned.
    places: Vec<String>,
    /// Integers that can only be read: counters of loops.
    fixed: Vec<String>,
    /// Arrays of integers with their lengths.
    arrays: Vec<(String, u64)>,
    /// Pointers to `int`, and local variables of that type.
    pointers: Vec<String>,
    ints: Vec<String>,
    /// Variables of `struct outer`, and pointers to it.
    structs: Vec<String>,
    behind: Vec<String>,
}

struct Writer<'a> {
    random: &'a mut Random,
    wish: Wish,
    text: String,
    indent: usize,
    /// Names made so far.
    made: u32,
    /// Functions that can be called, with the number of their parameters.
    functions: Vec<(String, u64)>,
    /// Whether a loop is open, and whether a `switch` inside of it.
    in_loop: bool,
    in_switch: bool,
    in_main: bool,
    loops: u32,
}

/// A text with several programs: they share globals and functions and begin at `main0`, `main1`, …
///
/// That is for clang, which takes longer for a text than everything else together.
pub fn programs(seed: u64, wish: Wish, mains: usize) -> String {
    let mut random = Random::new(seed);
    let mut writer = Writer {
        random: &mut random,
        wish,
        text: START.to_string(),
        indent: 0,
        made: 0,
        functions: vec![],
        in_loop: false,
        in_switch: false,
        in_main: false,
        loops: 0,
    };
    for _ in 0..writer.random.next(4) {
        writer.function();
    }
    for number in 0..mains {
        writer.main(number);
    }
    writer.text
}

fn globals() -> Scope {
    let own = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
    Scope {
        places: own(&["g0", "g1", "g2", "g3"]),
        arrays: vec![("row".into(), 4)],
        pointers: own(&["where"]),
        structs: own(&["whole"]),
        ..Scope::default()
    }
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", self.indent * 4);
    }

    fn open(&mut self, text: &str) {
        self.line(&format!("{text} {{"));
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    fn name(&mut self, prefix: &str) -> String {
        self.made += 1;
        format!("{prefix}{}", self.made)
    }

    fn function(&mut self) {
        let name = self.name("f");
        let recursive = self.random.one_in(3);
        let mut scope = globals();
        let count = 1 + self.random.next(3);
        let mut parameters = vec![];
        for _ in 0..count {
            let (ty, parameter) = (TYPES[self.random.next(TYPES.len() as u64) as usize].0, self.name("p"));
            parameters.push(format!("{ty} {parameter}"));
            scope.places.push(parameter);
        }
        if self.random.one_in(3) {
            let parameter = self.name("q");
            parameters.push(format!("int *{parameter}"));
            scope.pointers.push(parameter);
        }
        let has_pointer = parameters.len() as u64 > count;
        if recursive {
            parameters.push("int depth".to_string());
            scope.fixed.push("depth".into());
        }
        let ty = TYPES[self.random.next(TYPES.len() as u64) as usize].0;
        self.open(&format!("{ty} {name}({})", parameters.join(", ")));
        if recursive {
            let value = self.expression(&scope, 1);
            self.line(&format!("if (depth <= 0) return {value};"));
        }
        if self.random.one_in(4) {
            let place = self.name("kept");
            self.line(&format!("static int {place} = 2;"));
            scope.places.push(place);
        }
        let statements = 1 + self.random.next(4);
        self.statements(&mut scope, statements, 2);
        if recursive {
            let mut arguments: Vec<String> = (0..count).map(|_| self.expression(&scope, 1)).collect();
            if has_pointer {
                arguments.push(self.pointer(&scope));
            }
            arguments.push("depth - 1".into());
            let (place, other) = (self.place(&scope), self.place(&scope));
            self.line(&format!("{place} = {name}({}) + {other};", arguments.join(", ")));
        }
        if !self.wish.undefined || !self.random.one_in(15) {
            let value = self.expression(&scope, 2);
            self.line(&format!("return {value};"));
        }
        self.close();
        if !recursive && !has_pointer {
            self.functions.push((name, count));
        } else {
            // A function of integers that calls it.
            let outer = self.name("f");
            let mut arguments: Vec<String> = (0..count).map(|i| format!("a{i}")).collect();
            let parameters: Vec<String> = (0..count).map(|i| format!("int a{i}")).collect();
            if has_pointer {
                arguments.push("&a0".into());
            }
            if recursive {
                arguments.push(format!("(a0 & {})", self.random.pick(&["1", "3"])));
            }
            self.open(&format!("int {outer}({})", parameters.join(", ")));
            self.line(&format!("int made = {name}({});", arguments.join(", ")));
            self.line("return made + a0;");
            self.close();
            self.functions.push((outer, count));
        }
    }

    fn main(&mut self, number: usize) {
        self.in_main = true;
        self.open(&format!("int main{number}(void)"));
        let mut scope = globals();
        for _ in 0..1 + self.random.next(4) {
            let (ty, kind) = TYPES[self.random.next(TYPES.len() as u64) as usize];
            let name = self.name("x");
            self.line(&format!("{ty} {name} = __VERIFIER_nondet_{kind}();"));
            scope.places.push(name);
        }
        if self.random.one_in(4) {
            let condition = self.expression(&scope, 1);
            self.line(&format!("__VERIFIER_assume(({condition}) != 3);"));
        }
        let statements = 3 + self.random.next(6);
        self.statements(&mut scope, statements, 3);
        for place in scope.places.clone() {
            if !self.wish.undefined || !self.random.one_in(3) {
                self.line(&format!("printf(\"{place}=%lld\\n\", (long long){place});"));
            }
        }
        self.line("printf(\"%d %d %d\\n\", row[0], row[3], grid[1][1]);");
        self.line("printf(\"%d %d %ld\\n\", whole.first, whole.in.value, whole.last);");
        self.line("printf(\"%d %d\\n\", many[1].z, many[2].x);");
        match self.random.next(4) {
            0 => self.line("return 0;"),
            1 => {}
            _ => {
                let value = self.expression(&scope, 1);
                self.line(&format!("return {value};"));
            }
        }
        self.close();
    }

    fn statements(&mut self, scope: &mut Scope, count: u64, depth: u32) {
        for _ in 0..count {
            if depth > 0 && self.random.one_in(9) {
                // A jump forward over some statements.
                let label = self.name("L");
                let condition = self.expression(scope, 1);
                self.line(&format!("if ({condition}) goto {label};"));
                let mut inner = scope.clone();
                self.statement(&mut inner, depth - 1);
                if self.random.one_in(2) {
                    let condition = self.expression(&inner, 1);
                    self.open(&format!("if ({condition})"));
                    self.statement(&mut inner.clone(), depth - 1);
                    self.line(&format!("goto {label};"));
                    self.close();
                    self.statement(&mut inner, depth - 1);
                }
                self.line(&format!("{label}: ;"));
                if self.wish.undefined {
                    *scope = inner;
                }
            } else {
                self.statement(scope, depth);
            }
        }
    }

    fn statement(&mut self, scope: &mut Scope, depth: u32) {
        match self.random.next(if depth == 0 { 14 } else { 23 }) {
            0..=2 => self.declaration(scope),
            3..=5 => self.assignment(scope),
            6 => {
                let place = self.place(scope);
                let text = match self.random.next(4) {
                    0 => format!("{place}++;"),
                    1 => format!("--{place};"),
                    2 => {
                        let other = self.place(scope);
                        if other == place || self.aliases(&other, &place) {
                            format!("{place}--;")
                        } else {
                            format!("{other} = {place}++;")
                        }
                    }
                    _ => format!("++{place};"),
                };
                self.line(&text);
            }
            7 => {
                let value = self.expression(scope, 2);
                let format = self.random.pick(&["%d", "%u", "%x", "%5d|", "%c", "%hd", "%hhu", "%d and"]);
                self.line(&format!("printf(\"{format}\\n\", (int)({value}));"));
            }
            8 => {
                let (value, wide) = (self.expression(scope, 2), self.expression(scope, 1));
                self.line(&format!("printf(\"%ld %lu\\n\", (long)({value}), (unsigned long)({wide}));"));
            }
            9 => self.array_store(scope),
            10 => self.pointer_statement(scope),
            11 => self.struct_statement(scope),
            12 => {
                let value = self.expression(scope, 2);
                match self.random.next(3) {
                    0 => self.line(&format!("assert({value});")),
                    1 => self.line(&format!("assert(({value}) < 1000);")),
                    _ => self.line(&format!("putchar('a' + (({value}) & 7));")),
                }
            }
            13 => self.leave(scope),
            14..=17 => {
                let condition = self.expression(scope, 2);
                self.open(&format!("if ({condition})"));
                self.block(scope, depth);
                if self.random.one_in(2) {
                    self.indent -= 1;
                    self.open("} else");
                    self.block(scope, depth);
                }
                self.close();
            }
            18..=20 => self.looped(scope, depth),
            21 => self.switch(scope, depth),
            _ => {
                self.open("");
                self.block(scope, depth);
                self.close();
            }
        }
    }

    fn aliases(&self, a: &str, b: &str) -> bool {
        a.contains(['*', '[', '>']) || b.contains(['*', '[', '>'])
    }

    /// Statements with a scope of their own.
    fn block(&mut self, scope: &Scope, depth: u32) {
        let count = 1 + self.random.next(3);
        self.statements(&mut scope.clone(), count, depth - 1);
    }

    fn leave(&mut self, scope: &Scope) {
        let condition = self.expression(scope, 1);
        let value = self.expression(scope, 1);
        let text = match self.random.next(6) {
            0 | 1 if self.in_loop => format!("if ({condition}) break;"),
            2 | 3 if self.in_loop && !self.in_switch => format!("if ({condition}) continue;"),
            4 if self.random.one_in(2) => format!("if ({condition}) exit({value});"),
            5 if self.in_main => format!("if ({condition}) __VERIFIER_assume({value});"),
            _ => format!("if ({condition}) return {value};"),
        };
        self.line(&text);
    }

    fn declaration(&mut self, scope: &mut Scope) {
        match self.random.next(8) {
            0..=3 => {
                let (ty, name) = (TYPES[self.random.next(TYPES.len() as u64) as usize].0, self.name("v"));
                if self.wish.undefined && self.random.one_in(12) {
                    self.line(&format!("{ty} {name};"));
                } else {
                    let value = self.expression(scope, 2);
                    self.line(&format!("{ty} {name} = {value};"));
                }
                if ty == "int" {
                    scope.ints.push(name.clone());
                }
                scope.places.push(name);
            }
            4 => {
                let (ty, name) = (TYPES[self.random.next(TYPES.len() as u64) as usize].0, self.name("arr"));
                let length = 2 + self.random.next(3);
                if self.wish.undefined && self.random.one_in(6) {
                    self.line(&format!("{ty} {name}[{length}];"));
                } else {
                    let (a, b) = (self.expression(scope, 1), self.expression(scope, 1));
                    self.line(&format!("{ty} {name}[{length}] = {{ {a}, {b} }};"));
                }
                scope.arrays.push((name, length));
            }
            5 => {
                let (name, target) = (self.name("ptr"), self.pointer(scope));
                self.line(&format!("int *{name} = {target};"));
                scope.pointers.push(name);
            }
            6 => {
                let name = self.name("s");
                match self.random.next(3) {
                    0 if self.wish.undefined => self.line(&format!("struct outer {name};")),
                    0 | 1 => {
                        let (a, b) = (self.expression(scope, 1), self.expression(scope, 1));
                        self.line(&format!("struct outer {name} = {{ {a}, {{ 1, {b} }} }};"));
                    }
                    _ => {
                        let from = self.struct_name(scope);
                        self.line(&format!("struct outer {name} = {from};"));
                    }
                }
                scope.structs.push(name);
            }
            _ => {
                let (name, from) = (self.name("to"), self.struct_name(scope));
                if from.starts_with('*') {
                    return;
                }
                self.line(&format!("struct outer *{name} = &{from};"));
                scope.behind.push(name);
            }
        }
    }

    fn assignment(&mut self, scope: &Scope) {
        let (place, value) = (self.place(scope), self.expression(scope, 2));
        let op = self.random.pick(&["=", "=", "=", "+=", "-=", "*=", "&=", "|=", "^=", "/=", "%=", "<<=", ">>="]);
        let text = match op {
            "/=" | "%=" if !self.may_divide() => format!("{place} {op} (({value}) & 7) | 1;"),
            "<<=" | ">>=" => {
                let count = self.count(&value);
                format!("{place} {op} {count};")
            }
            _ => format!("{place} {op} {value};"),
        };
        self.line(&text);
    }

    fn may_divide(&mut self) -> bool {
        self.wish.undefined && self.random.one_in(5)
    }

    fn count(&mut self, value: &str) -> String {
        if self.wish.shifts && self.random.one_in(8) { format!("({value})") } else { format!("(({value}) & 7)") }
    }

    fn index(&mut self, scope: &Scope, length: u64) -> String {
        let value = self.expression(scope, 1);
        match self.random.next(8) {
            0 if self.wish.undefined => value,
            1 => self.random.next(length).to_string(),
            2 if length > 2 => format!("((({value}) & 1) + 1)"),
            _ => format!("((unsigned)({value}) % {length})"),
        }
    }

    fn array_store(&mut self, scope: &Scope) {
        let place = self.element(scope);
        let value = self.expression(scope, 2);
        let op = self.random.pick(&["=", "=", "+=", "-=", "^="]);
        self.line(&format!("{place} {op} {value};"));
    }

    fn element(&mut self, scope: &Scope) -> String {
        match self.random.next(6) {
            0 => format!("grid[{}][{}]", self.index(scope, 3), self.index(scope, 2)),
            1 => format!("many[{}].{}", self.index(scope, 3), self.random.pick(&["x", "y", "z"])),
            2 => {
                let index = self.index(scope, 3);
                format!("many[{index} + 1 - 1].{}", self.random.pick(&["x", "z"]))
            }
            _ => {
                let (array, length) = scope.arrays[self.random.next(scope.arrays.len() as u64) as usize].clone();
                format!("{array}[{}]", self.index(scope, length))
            }
        }
    }

    fn struct_name(&mut self, scope: &Scope) -> String {
        if !scope.behind.is_empty() && self.random.one_in(2) {
            return format!("*{}", scope.behind[self.random.next(scope.behind.len() as u64) as usize]);
        }
        scope.structs[self.random.next(scope.structs.len() as u64) as usize].clone()
    }

    fn member(&mut self, scope: &Scope) -> String {
        let name = self.struct_name(scope);
        let path = match name.strip_prefix('*') {
            Some(pointer) => format!("{pointer}->"),
            None => format!("{name}."),
        };
        match self.random.next(5) {
            0 => format!("{path}first"),
            1 => format!("{path}in.value"),
            2 => format!("{path}in.tag"),
            3 => format!("{path}bytes[{}]", self.index(scope, 3)),
            _ => format!("{path}last"),
        }
    }

    fn struct_statement(&mut self, scope: &Scope) {
        if self.random.one_in(3) {
            let (a, b) = (self.struct_name(scope), self.struct_name(scope));
            self.line(&format!("{a} = {b};"));
        } else if self.random.one_in(3) {
            let index = self.index(scope, 3);
            let (from, y) = (self.random.pick(&["many[0]", "many[1]", "many[2]"]), self.random.one_in(2));
            let text = if y { format!("many[{index}] = {from};") } else { format!("{from} = many[{index}];") };
            self.line(&text);
        } else {
            let (place, value) = (self.member(scope), self.expression(scope, 2));
            let op = self.random.pick(&["=", "=", "+=", "-=", "|="]);
            self.line(&format!("{place} {op} {value};"));
        }
    }

    /// An expression that is a pointer to `int`.
    fn pointer(&mut self, scope: &Scope) -> String {
        match self.random.next(9) {
            0 => "&g0".into(),
            8 if self.wish.undefined && !scope.ints.is_empty() => {
                format!("&{}", scope.ints[self.random.next(scope.ints.len() as u64) as usize])
            }
            1 => format!("&row[{}]", self.index(scope, 4)),
            2 => "&whole.in.value".into(),
            3 => format!("&many[{}].y", self.index(scope, 3)),
            4 if self.wish.undefined && self.random.one_in(3) => "0".into(),
            5 if scope.pointers.len() > 1 => {
                let (a, b) = (self.pointer_name(scope), self.pointer_name(scope));
                format!("({}) ? {a} : {b}", self.expression(scope, 1))
            }
            6 if self.wish.undefined => {
                format!("{} + {}", self.pointer_name(scope), self.random.pick(&["1", "2", "-1"]))
            }
            _ => self.pointer_name(scope),
        }
    }

    fn pointer_name(&mut self, scope: &Scope) -> String {
        scope.pointers[self.random.next(scope.pointers.len() as u64) as usize].clone()
    }

    fn pointer_statement(&mut self, scope: &mut Scope) {
        let name = self.pointer_name(scope);
        match self.random.next(7) {
            0 | 1 => {
                let target = self.pointer(scope);
                self.line(&format!("{name} = {target};"));
            }
            2 | 3 => {
                let value = self.expression(scope, 2);
                let op = self.random.pick(&["=", "+=", "^="]);
                self.line(&format!("*{name} {op} {value};"));
            }
            4 if self.wish.undefined => {
                let op = self.random.pick(&["++", "--"]);
                self.line(&format!("{name}{op};"));
            }
            5 => {
                let (block, value) = (self.name("heap"), self.expression(scope, 1));
                self.line(&format!("int *{block} = malloc(2 * sizeof(int));"));
                self.line(&format!("{block}[0] = {value};"));
                self.line(&format!("{block}[1] = 7;"));
                if self.random.one_in(3) {
                    self.line(&format!("free({block});"));
                    if !self.wish.undefined {
                        return;
                    }
                }
                scope.pointers.push(block);
            }
            _ => {
                let (place, other) = (self.place(scope), self.pointer_name(scope));
                let op = self.random.pick(&["==", "!="]);
                self.line(&format!("{place} = {name} {op} {other};"));
            }
        }
    }

    fn looped(&mut self, scope: &Scope, depth: u32) {
        if self.loops >= 3 {
            return self.assignment(scope);
        }
        self.loops += 1;
        let (counter, value) = (self.name("i"), self.expression(scope, 1));
        let most = match self.random.next(3) {
            0 => (1 + self.random.next(3)).to_string(),
            _ => format!("(({value}) & 3)"),
        };
        let mut inner = scope.clone();
        inner.fixed.push(counter.clone());
        let outside = (self.in_loop, self.in_switch);
        (self.in_loop, self.in_switch) = (true, false);
        match self.random.next(3) {
            0 => {
                self.open(&format!("for (int {counter} = 0; {counter} < {most}; {counter}++)"));
                self.block(&inner, depth);
            }
            1 => {
                self.line(&format!("int {counter} = {most};"));
                self.open(&format!("while ({counter}-- > 0)"));
                self.block(&inner, depth);
            }
            _ => {
                self.line(&format!("int {counter} = 0;"));
                self.open("do");
                self.block(&inner, depth);
                self.indent -= 1;
                self.line(&format!("}} while (++{counter} < {most});"));
                (self.in_loop, self.in_switch) = outside;
                self.loops -= 1;
                return;
            }
        }
        self.close();
        (self.in_loop, self.in_switch) = outside;
        self.loops -= 1;
    }

    fn switch(&mut self, scope: &Scope, depth: u32) {
        let value = self.expression(scope, 1);
        let value = if self.random.one_in(2) { format!("({value}) & 3") } else { value };
        self.open(&format!("switch ({value})"));
        let outside = (self.in_loop, self.in_switch);
        // `break` leaves the `switch`, `continue` the round: only the former is written here.
        (self.in_loop, self.in_switch) = (true, true);
        let mut cases = vec!["case 0:", "case 1:", "case 2 ... 4:", "case -1:", "default:", "case B:"];
        for _ in 0..2 + self.random.next(3) {
            let at = self.random.next(cases.len() as u64) as usize;
            let label = cases.remove(at);
            self.line(&format!("{label} ;"));
            self.block(scope, depth);
            if !self.random.one_in(3) {
                self.line("break;");
            }
        }
        (self.in_loop, self.in_switch) = outside;
        self.close();
    }

    fn place(&mut self, scope: &Scope) -> String {
        match self.random.next(12) {
            0 => self.element(scope),
            1 => self.member(scope),
            2 => format!("(*{})", self.pointer_name(scope)),
            _ => scope.places[self.random.next(scope.places.len() as u64) as usize].clone(),
        }
    }

    /// An integer.
    fn expression(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 {
            return match self.random.next(9) {
                0..=2 => self.random.pick(CONSTANTS).into(),
                3 if !scope.fixed.is_empty() => {
                    scope.fixed[self.random.next(scope.fixed.len() as u64) as usize].clone()
                }
                _ => scope.places[self.random.next(scope.places.len() as u64) as usize].clone(),
            };
        }
        let part = |writer: &mut Self| writer.expression(scope, depth - 1);
        match self.random.next(24) {
            0..=3 => format!("({} {} {})", part(self), self.random.pick(&["+", "-", "*"]), part(self)),
            4..=6 => {
                let op = self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
                format!("({} {op} {})", part(self), part(self))
            }
            7 => format!("({} {} {})", part(self), self.random.pick(&["&", "|", "^"]), part(self)),
            8 | 9 => format!("({} {} {})", part(self), self.random.pick(&["&&", "||"]), part(self)),
            10 => {
                let op = self.random.pick(&["/", "%"]);
                let (a, b) = (part(self), part(self));
                if self.may_divide() { format!("({a} {op} {b})") } else { format!("({a} {op} (({b} & 7) | 1))") }
            }
            11 => {
                let (op, a, b) = (self.random.pick(&["<<", ">>"]), part(self), part(self));
                let count = self.count(&b);
                format!("({a} {op} {count})")
            }
            12 => format!("({}{})", self.random.pick(&["-", "~", "!", "+"]), part(self)),
            13 => format!("({} ? {} : {})", part(self), part(self), part(self)),
            14 => format!("(({}){})", TYPES[self.random.next(TYPES.len() as u64) as usize].0, part(self)),
            15 => self.element(scope),
            16 => self.member(scope),
            17 => {
                let pointer = self.pointer_name(scope);
                if self.wish.undefined { format!("*{pointer}") } else { format!("({pointer} == &g0)") }
            }
            18 | 19 if !self.functions.is_empty() => {
                let (name, count) = self.functions[self.random.next(self.functions.len() as u64) as usize].clone();
                let arguments: Vec<String> = (0..count).map(|_| part(self)).collect();
                format!("{name}({})", arguments.join(", "))
            }
            20 => format!("({} - &row[0])", if self.wish.undefined { "where" } else { "&row[2]" }),
            21 => format!("(({} & 1) ? {} : {})", part(self), part(self), part(self)),
            _ => part(self),
        }
    }
}
