//! The names of the commands: one table for parsing, help and completion.

/// What the table says of a command.
#[derive(Clone, Copy, Debug)]
pub struct CommandInfo {
    /// Its name.
    pub name: &'static str,
    /// Other names, as gdb's users know them.
    pub short: &'static [&'static str],
    /// What may follow the name.
    pub arguments: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// What else there is to know.
    pub details: &'static str,
}

macro_rules! commands {
    ($($name:literal [$($short:literal),*] $arguments:literal $summary:literal $details:literal)*) => {
        /// All commands, in the order in which `help` lists them.
        pub const COMMANDS: &[CommandInfo] = &[$(CommandInfo {
            name: $name,
            short: &[$($short),*],
            arguments: $arguments,
            summary: $summary,
            details: $details,
        }),*];
    };
}

commands! {
    "start" ["run", "r"] "[ARGUMENTS]"
        "start the program and stop before the first statement of main"
        "Arguments of an earlier start are used again when none are given. Checkpoints of the run before stay; `resume` returns to them."
    "next" ["n"] "[N]"
        "run the next statement, called functions included; an empty line does the same"
        "With a number, that many statements. Breakpoints inside of called functions stop it."
    "step" ["s"] "[N]"
        "run to the next statement, into called functions"
        ""
    "finish" ["fin"] ""
        "run until this call has returned"
        ""
    "continue" ["c"] ""
        "run to the next breakpoint, the end or a crash"
        "Ctrl-C stops a program that runs for too long."
    "back" [] "[N]"
        "go back to the statement before"
        "Memory, output and input are as they were there. Works after a crash and after the end too. What was asserted ahead is kept as a checkpoint; `resume` returns there."
    "break" ["b"] "[LINE | FUNCTION] [if CONDITION]"
        "stop there; without a place, at this line"
        "The condition is a C expression over the program's variables. `info breakpoints` lists them."
    "delete" ["d"] "[N]"
        "remove a breakpoint, or all"
        ""
    "enter" [] ""
        "force the next loop to be entered (or the `if` to be taken)"
        "The condition is not evaluated. Before any other statement, it runs to the next loop condition of this function first. The forcing is part of the specification."
    "leave" [] ""
        "force the next loop to be left (or the `if` to be passed)"
        "The condition is not evaluated. Before any other statement, it runs to the next loop condition of this function first. The forcing is part of the specification."
    "flip" [] ""
        "go the other way than the next condition says"
        ""
    "change" ["set"] "ENTITY VALUE"
        "correct the state: change current n3, change n4->prev n3, change a[2] 7"
        "An entity is a variable, a member of a node (n4->prev, n4.prev), an element, or a variable of another call (main:x, #1:x). A value is null, a node, a number, or a C expression."
    "input" [] "TEXT"
        "give the program a line to read"
        "The program stops before it reads when nothing is left to read. `next` then lets it read the end of its input."
    "undo" [] ""
        "take back the last command that changed something"
        ""
    "track" [] "[[+|-]ENTITY ...]"
        "assert these too (or, with -, not); alone, show what is tracked"
        "An entity is a variable, a node, a member of a node, a member of every node (data), or `all`. Without rules the heap, globals and those variables are tracked that are still read later, or were changed by you."
    "untrack" [] "ENTITY ..."
        "do not assert these"
        ""
    "concrete" [] "[LINES | clear]"
        "trust these lines (5,9-11): they are never repaired"
        "Alone it shows the trusted lines."
    "spec" [] "[ENTITY == VALUE | output \"TEXT\"]"
        "assert the tracked state here, or one fact, and make a checkpoint"
        "`spec output \"3 1 4\\n\"` asserts all that the program has printed up to here."
    "localize" [] ""
        "show the statements that can be at fault, the most suspicious first"
        "Compares what the program did with what is asserted, forward and backward. The faulty statement is among them."
    "repair" [] "[guards] [wide] [all | here] [algorithm3 | algvar]"
        "find the smallest change of the program that meets all that is asserted, and make it live"
        "Looks at suspicious places first, then at all that ran (at once with `wide`). A condition that was forced in one direction only stays as it is, but for `guards`. What was asserted in earlier runs (`start`) must hold too, but for `here`; with `all`, also what is asserted on other ways of a run (`checkpoints`). The search starts from your text every time, so a later repair may replace an earlier one. `algorithm3` and `algvar` search as the paper does, to compare."
    "candidates" [] ""
        "show all repairs that were found, with what each changes"
        ""
    "pick" [] "N"
        "take another of the candidates; it is live at once"
        "If `repair` asked which of two pictures is meant, the answer becomes part of the specification."
    "rewrite" [] "[FILE]"
        "write the repaired program; without a file, next to yours as NAME.fixed.c"
        "Your layout and comments are kept; the change is shown as a diff."
    "checkpoints" [] ""
        "draw the tree of checkpoints"
        ""
    "resume" [] "N"
        "go to a checkpoint: place, memory and specification"
        ""
    "moments" [] ""
        "list the moments of this run, with their numbers"
        "A moment is where the program stood after a command. Moments ahead of the present one, which `back` or `resume` left, are listed too."
    "goto" [] "N"
        "go to a moment: place, memory, input and what was live there"
        ""
    "show" [] "[FILE.svg | FILE.png | FILE.dot]"
        "draw the memory, here or into a file"
        ""
    "print" ["p"] "EXPRESSION"
        "the value of a C expression"
        ""
    "locals" [] ""
        "the variables of this call"
        ""
    "where" ["bt", "backtrace"] ""
        "the active calls"
        ""
    "list" ["l"] "[LINE | FUNCTION]"
        "the source here or there"
        ""
    "info" ["i"] "breakpoints | specification | tracking | ..."
        "list what there is"
        "There are: breakpoints, locals, stack, checkpoints, specification (what is asserted and forced on the way to here), tracking, lines (that are trusted)."
    "save" [] "FILE"
        "write the commands so far to a file, for --script"
        ""
    "help" ["h", "?"] "[COMMAND]"
        "what the commands do"
        ""
    "quit" ["q", "exit"] ""
        "end the session"
        ""
}

/// Finds a command by its name, another name, or an unambiguous beginning.
pub fn find(word: &str) -> Result<&'static CommandInfo, String> {
    let exact = |info: &&CommandInfo| info.name == word || info.short.contains(&word);
    if let Some(info) = COMMANDS.iter().find(exact) {
        return Ok(info);
    }
    let begins: Vec<&CommandInfo> = COMMANDS.iter().filter(|info| info.name.starts_with(word)).collect();
    match begins[..] {
        [only] => Ok(only),
        [] => Err(format!("there is no command `{word}`; {}", suggestion(word))),
        _ => {
            let names: Vec<&str> = begins.iter().map(|info| info.name).collect();
            Err(format!("`{word}` could be {}; type more of it", list_with_or(&names)))
        }
    }
}

fn suggestion(word: &str) -> String {
    let distance = |info: &&CommandInfo| strsim::damerau_levenshtein(info.name, word);
    match COMMANDS.iter().min_by_key(distance).filter(|info| distance(info) <= 2) {
        Some(info) => format!("did you mean `{}`?", info.name),
        None => "`help` lists what there is".into(),
    }
}

fn list_with_or(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => only.to_string(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// The text of `help`, or of `help COMMAND`.
pub fn help(about: Option<&str>) -> Result<String, String> {
    let Some(word) = about else {
        let line = |info: &CommandInfo| format!("  {:<28}{}", usage(info), info.summary);
        let lines: Vec<String> = COMMANDS.iter().map(line).collect();
        let end = "`;` separates commands, unambiguous beginnings are enough. `help COMMAND` says more.";
        return Ok(format!("{}\n{end}", lines.join("\n")));
    };
    let info = find(word)?;
    let mut text = format!("{}\n  {}", usage(info), info.summary);
    if !info.details.is_empty() {
        text.push_str(&wrapped(info.details));
    }
    if !info.short.is_empty() {
        text.push_str(&format!("\n  Also: {}", info.short.join(", ")));
    }
    Ok(text)
}

/// Text in lines of readable length, each indented.
fn wrapped(text: &str) -> String {
    const WIDTH: usize = 90;
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        if lines.last().is_some_and(|line| line.len() + word.len() > WIDTH) {
            lines.push(String::new());
        }
        let line = lines.last_mut().expect("there is always one");
        line.push_str(if line.is_empty() { "\n  " } else { " " });
        line.push_str(word);
    }
    lines.concat()
}

fn usage(info: &CommandInfo) -> String {
    format!("{} {}", info.name, info.arguments).trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(word: &str) -> Result<&'static str, String> {
        find(word).map(|info| info.name)
    }

    #[test]
    fn names_beginnings_and_short_names_are_found() {
        for (word, expected) in [("n", "next"), ("s", "step"), ("c", "continue"), ("b", "break"), ("p", "print")] {
            assert_eq!(name(word), Ok(expected));
        }
        assert_eq!(name("bt"), Ok("where"));
        assert_eq!(name("chec"), Ok("checkpoints"));
        assert_eq!(name("e"), Ok("enter"));
        assert_eq!(name("ch"), Err("`ch` could be change or checkpoints; type more of it".into()));
        assert_eq!(name("nxet"), Err("there is no command `nxet`; did you mean `next`?".into()));
        assert_eq!(name("frobnicate"), Err("there is no command `frobnicate`; `help` lists what there is".into()));
    }

    #[test]
    fn no_name_is_taken_twice() {
        let mut names: Vec<&str> =
            COMMANDS.iter().flat_map(|info| info.short.iter().chain([&info.name])).copied().collect();
        names.sort();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
