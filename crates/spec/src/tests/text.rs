//! A table of calls as text.

use super::{Call, TableError, Value};

/// The calls of a text, one in a line; `#` begins a comment.
pub fn parse_text(text: &str) -> Result<Vec<Call>, TableError> {
    let mut calls = vec![];
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        let line = line.split('#').next().unwrap_or_default().trim().trim_end_matches(';');
        if line.is_empty() {
            continue;
        }
        let mut reader = Reader { rest: line, line: line_number };
        calls.push(reader.call()?);
    }
    Ok(calls)
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

impl Reader<'_> {
    fn error<T>(&self, wanted: &str) -> Result<T, TableError> {
        let found = if self.rest.is_empty() { "the end of the line".into() } else { format!("`{}`", self.rest) };
        Err(TableError { line: self.line, message: format!("{wanted} is expected, not {found}") })
    }

    fn take(&mut self, sign: &str) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(sign) {
            Some(after) => {
                self.rest = after;
                true
            }
            None => false,
        }
    }

    fn name(&mut self) -> Result<String, TableError> {
        self.rest = self.rest.trim_start();
        let length = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        if length == 0 || self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            return self.error("a name");
        }
        let (name, rest) = self.rest.split_at(length);
        self.rest = rest;
        Ok(name.into())
    }

    fn number(&mut self) -> Result<i128, TableError> {
        self.rest = self.rest.trim_start();
        let digits = self.rest.strip_prefix(['-', '+']).unwrap_or(self.rest);
        let length =
            self.rest.len() - digits.len() + digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let (text, rest) = self.rest.split_at(length);
        match text.trim_start_matches('+').parse() {
            Ok(number) => {
                self.rest = rest;
                Ok(number)
            }
            Err(_) => self.error("a number"),
        }
    }

    fn list(&mut self) -> Result<Vec<i128>, TableError> {
        let close = if self.take("[") {
            "]"
        } else if self.take("{") {
            "}"
        } else {
            return self.error("`[`");
        };
        let mut all = vec![];
        while !self.take(close) {
            if !all.is_empty() && !self.take(",") {
                return self.error("`,`");
            }
            all.push(self.number()?);
        }
        Ok(all)
    }

    fn value(&mut self) -> Result<Value, TableError> {
        let rest = self.rest.trim_start();
        if rest.starts_with(['[', '{']) {
            return self.list().map(Value::List);
        }
        if self.take("NULL") || self.take("null") {
            return Ok(Value::Null);
        }
        self.number().map(Value::Number)
    }

    fn call(&mut self) -> Result<Call, TableError> {
        let function = self.name()?;
        if !self.take("(") {
            return self.error("`(`");
        }
        let mut arguments = vec![];
        while !self.take(")") {
            if !arguments.is_empty() && !self.take(",") {
                return self.error("`,` or `)`");
            }
            arguments.push(self.value()?);
        }
        let result = if self.take("==") || self.take("=") { Some(self.number()?) } else { None };
        let mut after = vec![];
        while self.take(",") {
            let name = self.name()?;
            if !self.take("=") {
                return self.error("`=`");
            }
            after.push((name, self.list()?));
        }
        match self.rest.trim().is_empty() {
            true => Ok(Call { line: self.line, function, arguments, result, after }),
            false => self.error("the end of the line"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read() {
        let calls = parse_text("# a table\nmax([-2, 5, 3], 3) = 5\nsort([2, 1], 2), a = [1, 2]\n").unwrap();
        assert_eq!(calls.len(), 2);
        assert_eq!(calls[0].arguments, vec![Value::List(vec![-2, 5, 3]), Value::Number(3)]);
        assert_eq!((calls[0].result, calls[0].line), (Some(5), 2));
        assert_eq!(calls[1].after, vec![("a".into(), vec![1, 2])]);
    }

    #[test]
    fn what_is_wrong_is_said_with_the_line() {
        let error = parse_text("f(1) = 2\nf(1, = 3").unwrap_err();
        assert_eq!(error.to_string(), "line 2: a number is expected, not `= 3`");
    }
}
