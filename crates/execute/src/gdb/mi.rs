//! The output of gdb's machine interface.
//!
//! `12^done,frame={level="0",args=["1","2"]}` is a result record with the token
//! 12 and a tree of values. Lines that are none of gdb's (a program may write
//! to the same terminal) are [`Record::Other`]; no input makes this panic.

use std::collections::BTreeMap;

/// One line of output.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// `^done`, `^running`, `^error`, `^exit`: the answer to a command.
    Result {
        /// The number that was put before the command.
        token: Option<u64>,
        /// What follows the `^`.
        class: String,
        /// The values.
        values: Values,
    },
    /// `*stopped`, `=library-loaded` and the like.
    Async {
        /// What follows the `*`, `=` or `+`.
        class: String,
        /// The values.
        values: Values,
    },
    /// `~"…"`, `@"…"`, `&"…"`: text of gdb or of the program.
    Stream(String),
    /// `(gdb)`.
    Prompt,
    /// Something else.
    Other(String),
}

/// Named values.
pub type Values = BTreeMap<String, Value>;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `"text"`.
    Text(String),
    /// `{name="a",value="b"}`.
    Tuple(Values),
    /// `["a","b"]`; the names of `[frame={…},frame={…}]` are left out.
    List(Vec<Value>),
}

impl Value {
    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The elements, if it is a list.
    pub fn list(&self) -> &[Value] {
        match self {
            Value::List(list) => list,
            _ => &[],
        }
    }
}

/// Values nested deeper than this are not gdb's.
const DEPTH: usize = 64;

/// Reads one line, without its end.
pub fn parse_record(line: &str) -> Record {
    parse(line).unwrap_or_else(|| Record::Other(line.to_string()))
}

fn parse(line: &str) -> Option<Record> {
    if line.trim_end() == "(gdb)" {
        return Some(Record::Prompt);
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let token = line[..digits].parse().ok();
    let mut parser = Parser { rest: &line[digits..] };
    let kind = parser.rest.chars().next()?;
    parser.rest = &parser.rest[kind.len_utf8()..];
    match kind {
        '^' => {
            let (class, values) = parser.class_and_values()?;
            Some(Record::Result { token, class, values })
        }
        '*' | '=' | '+' => {
            let (class, values) = parser.class_and_values()?;
            Some(Record::Async { class, values })
        }
        '~' | '@' | '&' => Some(Record::Stream(parser.string()?)),
        _ => None,
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn eat(&mut self, expected: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(expected)?;
        Some(())
    }

    fn name(&mut self) -> Option<String> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let end = self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!name.is_empty()).then(|| name.to_string())
    }

    fn class_and_values(&mut self) -> Option<(String, Values)> {
        let class = self.name()?;
        let mut values = Values::new();
        while self.eat(',').is_some() {
            let (name, value) = self.pair(0)?;
            values.insert(name, value);
        }
        self.rest.trim_end().is_empty().then_some((class, values))
    }

    fn pair(&mut self, depth: usize) -> Option<(String, Value)> {
        let name = self.name()?;
        self.eat('=')?;
        Some((name, self.value(depth)?))
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEPTH {
            return None;
        }
        match self.rest.chars().next()? {
            '"' => self.string().map(Value::Text),
            '{' => self.tuple(depth),
            '[' => self.list(depth),
            _ => None,
        }
    }

    fn tuple(&mut self, depth: usize) -> Option<Value> {
        self.eat('{')?;
        let mut values = Values::new();
        while self.eat('}').is_none() {
            if !values.is_empty() {
                self.eat(',')?;
            }
            let (name, value) = self.pair(depth + 1)?;
            values.insert(name, value);
        }
        Some(Value::Tuple(values))
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        self.eat('[')?;
        let mut values = Vec::new();
        while self.eat(']').is_none() {
            if !values.is_empty() {
                self.eat(',')?;
            }
            let is_value = self.rest.starts_with(['"', '{', '[']);
            let value = if is_value { self.value(depth + 1)? } else { self.pair(depth + 1)?.1 };
            values.push(value);
        }
        Some(Value::List(values))
    }

    /// A C string. Bytes that were escaped in octal are taken together as UTF-8.
    fn string(&mut self) -> Option<String> {
        self.eat('"')?;
        let mut bytes = Vec::new();
        loop {
            let end = self.rest.find(['"', '\\'])?;
            bytes.extend_from_slice(&self.rest.as_bytes()[..end]);
            let closes = self.rest[end..].starts_with('"');
            self.rest = &self.rest[end + 1..];
            if closes {
                return Some(String::from_utf8_lossy(&bytes).into_owned());
            }
            self.escape(&mut bytes)?;
        }
    }

    fn escape(&mut self, bytes: &mut Vec<u8>) -> Option<()> {
        let digits = self.rest.bytes().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
        if digits > 0 {
            let value = u32::from_str_radix(&self.rest[..digits], 8).ok()?;
            bytes.push(value as u8);
            self.rest = &self.rest[digits..];
            return Some(());
        }
        let escaped = self.rest.chars().next()?;
        self.rest = &self.rest[escaped.len_utf8()..];
        let plain = match escaped {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'v' => '\x0b',
            'e' => '\x1b',
            other => other,
        };
        bytes.extend_from_slice(plain.encode_utf8(&mut [0; 4]).as_bytes());
        Some(())
    }
}

/// Writes an argument of a command so that gdb reads it as one word.
pub fn quote(argument: &str) -> String {
    let mut quoted = String::from("\"");
    for c in argument.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.to_string())
    }

    #[test]
    fn a_result_is_a_tree() {
        let line = r#"12^done,pc="42",frames=["1:2","3:4"],f={level="0",l=[a={},b="x"]}"#;
        let Record::Result { token, class, values } = parse_record(line) else { panic!("not a result") };
        assert_eq!((token, class.as_str()), (Some(12), "done"));
        assert_eq!(values["pc"], text("42"));
        assert_eq!(values["frames"], Value::List(vec![text("1:2"), text("3:4")]));
        let inner = Value::List(vec![Value::Tuple(Values::new()), text("x")]);
        let tuple = Values::from([("level".into(), text("0")), ("l".into(), inner)]);
        assert_eq!(values["f"], Value::Tuple(tuple));
    }

    #[test]
    fn streams_are_unescaped() {
        assert_eq!(parse_record(r#"~"a\n\"b\" \303\244\\""#), Record::Stream("a\n\"b\" ä\\".into()));
        assert_eq!(parse_record("(gdb) "), Record::Prompt);
        assert_eq!(parse_record("hello"), Record::Other("hello".into()));
        assert_eq!(parse_record("^done,"), Record::Other("^done,".into()));
    }

    #[test]
    fn deep_nesting_is_no_record() {
        let line = format!("^done,a={}", "[".repeat(100_000));
        assert!(matches!(parse_record(&line), Record::Other(_)));
    }

    proptest! {
        #[test]
        fn nothing_makes_it_panic(line in ".*") {
            parse_record(&line);
        }

        #[test]
        fn nothing_like_gdb_makes_it_panic(line in r#"[0-9]{0,25}[\^*=+~@&]?[a-z"\\{}\[\],=0-9é ]{0,60}"#) {
            parse_record(&line);
        }

        #[test]
        fn what_is_quoted_comes_back(argument in any::<String>()) {
            prop_assume!(!argument.contains(|c: char| c.is_control() && !"\n\r\t".contains(c)));
            let line = format!("~{}", quote(&argument));
            prop_assert_eq!(parse_record(&line), Record::Stream(argument));
        }
    }
}
