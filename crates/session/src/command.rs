//! What the user types, as data.

use std::path::PathBuf;

use repair::Preset;

use crate::mend::Wish;
use crate::names;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Starts the program, with these arguments if some are given.
    Start(Vec<String>),
    /// Runs statements, called functions included.
    Next(u32),
    /// Runs statements, into called functions.
    Step(u32),
    /// Runs until this call has returned.
    Finish,
    /// Runs to a breakpoint or the end.
    Continue,
    /// Goes back by this many statements.
    Back(u32),
    /// Sets a breakpoint.
    Break {
        /// Where; here if not given.
        place: Option<Location>,
        /// A C expression that must be true.
        condition: Option<String>,
    },
    /// Removes a breakpoint, or all.
    Delete(Option<u32>),
    /// Forces the next condition.
    Force(Force),
    /// Corrects the state: an entity and a value.
    Change(String),
    /// Gives the program something to read.
    Input(String),
    /// Takes back the last command that changed something.
    Undo,
    /// Asserts more or less.
    Track(Vec<(bool, String)>),
    /// Trusts these lines, from first to last.
    Concrete(Vec<(u32, u32)>),
    /// Trusts no lines.
    ConcreteClear,
    /// Asserts the state, or one fact.
    Spec(Option<String>),
    /// Shows suspicious places.
    Localize,
    /// Looks for a repair.
    Repair(Wish),
    /// Shows all repairs that were found.
    Candidates,
    /// Takes one of them.
    Pick(u32),
    /// Writes the repaired program to a file.
    Rewrite(Option<PathBuf>),
    /// Goes to a checkpoint.
    Resume(u32),
    /// Goes to a moment of the session.
    Goto(u32),
    /// Draws the memory, here or into a file.
    Show(Option<PathBuf>),
    /// The value of a C expression.
    Print(String),
    /// The source.
    List(Option<Location>),
    /// Lists something.
    Info(Info),
    /// Writes the commands so far to a file.
    Save(PathBuf),
    /// Says what commands do.
    Help(Option<String>),
    /// Ends the session.
    Quit,
}

/// Which way to go at a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Force {
    /// As if it were true.
    Enter,
    /// As if it were false.
    Leave,
    /// As if it were the opposite of what it is.
    Flip,
}

/// A place in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A line.
    Line(u32),
    /// The beginning of a function.
    Function(String),
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Info {
    /// Breakpoints.
    Breakpoints,
    /// Variables of this call.
    Locals,
    /// Active calls.
    Calls,
    /// The tree of checkpoints.
    Checkpoints,
    /// The moments of this run.
    Moments,
    /// What is asserted on the way to here.
    Specification,
    /// What is asserted by `spec`.
    Tracking,
    /// Trusted lines.
    Concrete,
}

/// Splits a line at its `;`, those in quotes left out.
pub fn split_line(line: &str) -> Vec<&str> {
    let (mut parts, mut start, mut quote) = (Vec::new(), 0, None);
    let mut characters = line.char_indices();
    while let Some((at, character)) = characters.next() {
        match (quote, character) {
            (Some(_), '\\') => _ = characters.next(),
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => quote = Some(character),
            (None, ';') => {
                parts.push(&line[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&line[start..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Reads one command.
pub fn parse(text: &str) -> Result<Command, String> {
    let text = text.trim();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, rest) = (&text[..end], text[end..].trim());
    let info = names::find(word)?;
    let nothing = |command: Command| match rest.is_empty() {
        true => Ok(command),
        false => Err(format!("`{}` takes no arguments, but `{rest}` was given", info.name)),
    };
    match info.name {
        "start" => Ok(Command::Start(words(rest)?)),
        "next" => Ok(Command::Next(count(info.name, rest)?)),
        "step" => Ok(Command::Step(count(info.name, rest)?)),
        "back" => Ok(Command::Back(count(info.name, rest)?)),
        "finish" => nothing(Command::Finish),
        "continue" => nothing(Command::Continue),
        "break" => parse_break(rest),
        "delete" if rest.is_empty() => Ok(Command::Delete(None)),
        "delete" => number(info.name, rest).map(|n| Command::Delete(Some(n))),
        "enter" => nothing(Command::Force(Force::Enter)),
        "leave" => nothing(Command::Force(Force::Leave)),
        "flip" => nothing(Command::Force(Force::Flip)),
        "change" if rest.is_empty() => Err("change what? For example: change current n3".into()),
        "change" => Ok(Command::Change(rest.into())),
        "input" => Ok(Command::Input(rest.into())),
        "undo" => nothing(Command::Undo),
        "track" if rest.is_empty() => Ok(Command::Info(Info::Tracking)),
        "track" => Ok(Command::Track(signed(rest, true))),
        "untrack" if rest.is_empty() => Err("untrack what? For example: untrack temp2".into()),
        "untrack" => Ok(Command::Track(signed(rest, false))),
        "concrete" => parse_concrete(rest),
        "spec" => Ok(Command::Spec(Some(rest.to_string()).filter(|fact| !fact.is_empty()))),
        "localize" => nothing(Command::Localize),
        "repair" => parse_repair(rest),
        "candidates" => nothing(Command::Candidates),
        "pick" if rest.is_empty() => Err("pick which candidate? `candidates` shows them".into()),
        "pick" => number(info.name, rest).map(Command::Pick),
        "rewrite" => Ok(Command::Rewrite(Some(rest).filter(|file| !file.is_empty()).map(PathBuf::from))),
        "checkpoints" => nothing(Command::Info(Info::Checkpoints)),
        "resume" if rest.is_empty() => Err("resume which checkpoint? `checkpoints` shows them".into()),
        "resume" => number(info.name, rest).map(Command::Resume),
        "moments" => nothing(Command::Info(Info::Moments)),
        "goto" if rest.is_empty() => Err("go to which moment? `moments` shows them".into()),
        "goto" => number(info.name, rest).map(Command::Goto),
        "show" => Ok(Command::Show(Some(rest).filter(|file| !file.is_empty()).map(PathBuf::from))),
        "print" if rest.is_empty() => Err("print what? For example: print head->data".into()),
        "print" => Ok(Command::Print(rest.into())),
        "locals" => nothing(Command::Info(Info::Locals)),
        "where" => nothing(Command::Info(Info::Calls)),
        "list" if rest.is_empty() => Ok(Command::List(None)),
        "list" => location(rest).map(|place| Command::List(Some(place))),
        "info" => parse_info(rest),
        "save" if rest.is_empty() => Err("save to which file? For example: save session.txt".into()),
        "save" => Ok(Command::Save(rest.into())),
        "help" => Ok(Command::Help(Some(rest.to_string()).filter(|word| !word.is_empty()))),
        _ => nothing(Command::Quit),
    }
}

fn parse_repair(text: &str) -> Result<Command, String> {
    let mut wish = Wish::default();
    for word in text.split_whitespace() {
        match word {
            "guards" => wish.guards = true,
            "wide" => wish.wide = true,
            "all" => wish.all = true,
            "here" => wish.here = true,
            "algorithm3" => wish.preset = Preset::Algorithm3,
            "algvar" => wish.preset = Preset::AlgVar(1),
            other => {
                return Err(format!("`repair` knows guards, wide, all, here, algorithm3 and algvar, not `{other}`"));
            }
        }
    }
    Ok(Command::Repair(wish))
}

fn number(command: &str, text: &str) -> Result<u32, String> {
    text.trim_start_matches('#').parse().map_err(|_| format!("`{command}` wants a number, and `{text}` is none"))
}

/// A number of times, once if none is given.
fn count(command: &str, text: &str) -> Result<u32, String> {
    if text.is_empty() {
        return Ok(1);
    }
    match number(command, text)? {
        0 => Err(format!("`{command} 0` would do nothing")),
        n => Ok(n),
    }
}

/// Words as a shell splits them; quotes keep blanks together.
fn words(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(characters.next()),
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    if let Some(open) = quote {
        return Err(format!("a {open} is missing at the end of `{text}`"));
    }
    words.extend(word);
    Ok(words)
}

/// `12`, `list.c:12` or a function's name.
fn location(text: &str) -> Result<Location, String> {
    let last = text.rsplit(':').next().unwrap_or(text);
    if let Ok(line) = last.parse() {
        return Ok(Location::Line(line));
    }
    let is_name = !last.is_empty() && last.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    match is_name {
        true => Ok(Location::Function(last.into())),
        false => Err(format!("`{text}` is neither a line nor a function")),
    }
}

fn parse_break(text: &str) -> Result<Command, String> {
    let (place, condition) = match text.strip_prefix("if").filter(|rest| rest.starts_with([' ', '('])) {
        Some(condition) => ("", Some(condition)),
        None => match text.find(" if").filter(|&at| text[at + 3..].starts_with([' ', '('])) {
            Some(at) => (&text[..at], Some(&text[at + 3..])),
            None => (text, None),
        },
    };
    let place = place.trim();
    let place = if place.is_empty() { None } else { Some(location(place)?) };
    Ok(Command::Break { place, condition: condition.map(|text| text.trim().to_string()) })
}

/// `+current -temp2 n4 -> prev`: what begins with a sign says itself which way.
fn signed(text: &str, default: bool) -> Vec<(bool, String)> {
    let mut found: Vec<(bool, String)> = Vec::new();
    let mut glued = false;
    for word in text.split_whitespace() {
        let is_arrow = word == "->" || word == ".";
        let continues = word.starts_with("->") || word.starts_with('.') && word.len() > 1 && glued;
        match found.last_mut() {
            Some((_, last)) if is_arrow || glued || continues => last.push_str(word),
            _ => {
                let (sign, name) = match word.strip_prefix('+').map(|name| (true, name)) {
                    Some(found) => found,
                    None => word.strip_prefix('-').map_or((default, word), |name| (!default, name)),
                };
                found.push((sign, name.to_string()));
            }
        }
        glued = word.ends_with("->") || word == ".";
    }
    found.into_iter().filter(|(_, name)| !name.is_empty()).collect()
}

/// `5,9-11`
fn parse_concrete(text: &str) -> Result<Command, String> {
    match text {
        "" => return Ok(Command::Info(Info::Concrete)),
        "clear" => return Ok(Command::ConcreteClear),
        _ => {}
    }
    let wrong = |part: &str| format!("`{part}` is no line or range of lines; write for example: concrete 5,9-11");
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        match (first.trim().parse(), last.trim().parse()) {
            (Ok(first), Ok(last)) if first <= last => Ok((first, last)),
            _ => Err(wrong(part)),
        }
    };
    let parts = text.split([',', ' ']).map(str::trim).filter(|part| !part.is_empty());
    parts.map(range).collect::<Result<_, _>>().map(Command::Concrete)
}

fn parse_info(text: &str) -> Result<Command, String> {
    let kinds = [
        ("breakpoints", Info::Breakpoints),
        ("locals", Info::Locals),
        ("args", Info::Locals),
        ("stack", Info::Calls),
        ("checkpoints", Info::Checkpoints),
        ("specification", Info::Specification),
        ("tracking", Info::Tracking),
        ("lines", Info::Concrete),
    ];
    match kinds.iter().find(|(name, _)| !text.is_empty() && name.starts_with(text)) {
        Some((_, info)) => Ok(Command::Info(*info)),
        None => {
            Err("info about what? There are: breakpoints, locals, stack, checkpoints, specification, tracking".into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_at_semicolons() {
        assert_eq!(split_line("next; next;next;"), ["next", "next", "next"]);
        assert_eq!(split_line("print \"a;b\"; p ';'"), ["print \"a;b\"", "p ';'"]);
        assert!(split_line(" ; ").is_empty());
    }

    #[test]
    fn counts_and_places() {
        assert_eq!(parse("next 3"), Ok(Command::Next(3)));
        assert_eq!(parse("n"), Ok(Command::Next(1)));
        assert_eq!(parse("next 0"), Err("`next 0` would do nothing".into()));
        assert_eq!(parse("next x"), Err("`next` wants a number, and `x` is none".into()));
        assert_eq!(parse("finish now"), Err("`finish` takes no arguments, but `now` was given".into()));
        let place = Some(Location::Line(12));
        assert_eq!(parse("b list.c:12"), Ok(Command::Break { place: place.clone(), condition: None }));
        let condition = Some("x > 3 && p".to_string());
        assert_eq!(parse("break 12 if x > 3 && p"), Ok(Command::Break { place, condition: condition.clone() }));
        assert_eq!(parse("break if x > 3 && p"), Ok(Command::Break { place: None, condition }));
        assert_eq!(parse("b a b"), Err("`a b` is neither a line nor a function".into()));
    }

    #[test]
    fn a_function_whose_name_begins_with_if_is_a_place() {
        let place = Some(Location::Function("iffy".into()));
        assert_eq!(parse("break iffy"), Ok(Command::Break { place, condition: None }));
    }

    #[test]
    fn entities_to_track_keep_their_arrows() {
        let tracked = |text: &str| match parse(text) {
            Ok(Command::Track(list)) => list,
            other => panic!("{other:?}"),
        };
        let names = |list: &[(bool, &str)]| list.iter().map(|(t, n)| (*t, n.to_string())).collect::<Vec<_>>();
        assert_eq!(tracked("track +current -temp2"), names(&[(true, "current"), (false, "temp2")]));
        assert_eq!(tracked("untrack n4 -> prev .data"), names(&[(false, "n4->prev"), (false, ".data")]));
        assert_eq!(tracked("track n4-> prev x"), names(&[(true, "n4->prev"), (true, "x")]));
    }

    #[test]
    fn lines_to_trust() {
        assert_eq!(parse("concrete 5,9-11"), Ok(Command::Concrete(vec![(5, 5), (9, 11)])));
        assert!(parse("concrete 5,x").is_err_and(|sentence| sentence.starts_with("`x` is no line")));
        assert!(parse("concrete 9-5").is_err());
    }

    #[test]
    fn arguments_are_split_as_a_shell_does() {
        assert_eq!(
            parse("start -n 'a b' \"c\\\"d\""),
            Ok(Command::Start(vec!["-n".into(), "a b".into(), "c\"d".into()]))
        );
        assert!(parse("start 'a").is_err());
    }
}
