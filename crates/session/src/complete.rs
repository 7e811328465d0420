//! What could follow what the user has typed.

use std::collections::BTreeSet;

use memory::{State, Value};

use crate::names::COMMANDS;
use crate::session::Session;

impl Session {
    /// The words that could stand at `at` in `line`, and where the word begins
    /// that they complete.
    pub fn complete(&self, line: &str, at: usize) -> (usize, Vec<String>) {
        let at = (0..=at.min(line.len())).rfind(|&at| line.is_char_boundary(at)).unwrap_or(0);
        let typed = &line[..at];
        let begin = typed.rfind(';').map_or(0, |semicolon| semicolon + 1);
        let command = typed[begin..].trim_start();
        let word_start = typed
            .rfind(|c: char| !c.is_alphanumeric() && c != '_')
            .map_or(0, |i| i + typed[i..].chars().next().map_or(1, char::len_utf8));
        let word = &typed[word_start..];
        let candidates: BTreeSet<String> = match command.split_once(char::is_whitespace) {
            None => COMMANDS.iter().map(|info| info.name.to_string()).collect(),
            Some((name, _)) => self.arguments(name, &typed[..word_start]),
        };
        let fitting = candidates.into_iter().filter(|candidate| candidate.starts_with(word));
        (word_start, fitting.collect())
    }

    fn arguments(&self, command: &str, before: &str) -> BTreeSet<String> {
        let name = crate::names::find(command).map_or("", |info| info.name);
        let functions = || self.own_functions().map(String::from);
        match name {
            "help" => COMMANDS.iter().map(|info| info.name.to_string()).collect(),
            "break" if !before.contains(" if") => functions().collect(),
            "list" => functions().collect(),
            "info" => {
                ["breakpoints", "locals", "stack", "checkpoints", "specification", "tracking"].map(String::from).into()
            }
            "goto" => self.moments(20).iter().map(|moment| moment.number.to_string()).collect(),
            "resume" => (0..self.now.checkpoints.len()).map(|number| number.to_string()).collect(),
            "delete" => self.now.breakpoints.iter().map(|breakpoint| breakpoint.number.to_string()).collect(),
            "change" | "print" | "track" | "untrack" | "spec" | "break" => self.entities(before),
            _ => BTreeSet::new(),
        }
    }

    /// After `->` or `.` members, otherwise variables and nodes.
    fn entities(&self, before: &str) -> BTreeSet<String> {
        let Some(view) = &self.view else { return BTreeSet::new() };
        let before = before.trim_end();
        if before.ends_with("->") || before.ends_with('.') {
            return members(&view.state);
        }
        let state = &view.state;
        let locals = state.frames.last().into_iter().flat_map(|frame| &frame.variables);
        let variables = state.globals.iter().chain(locals).map(|variable| variable.name.to_string());
        let nodes = state.nodes.iter().filter(|node| node.live).map(|node| node.id.to_string());
        variables.chain(nodes).chain(["null".into()]).collect()
    }
}

/// The members of all nodes and variables.
fn members(state: &State) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let variables = state.globals.iter().chain(state.frames.iter().flat_map(|frame| &frame.variables));
    let values = variables.map(|variable| &variable.value).chain(state.nodes.iter().map(|node| &node.value));
    values.for_each(|value| members_of(value, &mut found));
    found
}

fn members_of(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Record(members) => {
            for (name, value) in members {
                found.extend(Some(name.to_string()).filter(|name| !name.is_empty()));
                members_of(value, found);
            }
        }
        Value::Array(elements, _) => elements.iter().take(1).for_each(|element| members_of(element, found)),
        _ => {}
    }
}
