//! What is expected: `spec`, `track`, `concrete`.

use std::collections::BTreeSet;
use std::sync::Arc;

use ir::LocalId;
use memory::{Entity, Root, Value, Visible, leaves};
use spec::{Fact, Pattern, Relation, Rule, violations};

use crate::caret::with_caret;
use crate::session::{Done, Session, View};

/// Entities with their values.
pub(crate) type Values<'v> = Vec<(Entity, &'v Value)>;

impl Session {
    /// Asserts all that is tracked.
    pub(crate) fn assert_state(&mut self) -> Done {
        self.not_crashed()?;
        let view = self.view()?;
        let equal =
            |(entity, value): (Entity, &Value)| Fact { entity, relation: Relation::Equal, value: value.clone() };
        let tracked = self.split_by_tracking(&view).0;
        let facts: Vec<Fact> = tracked.into_iter().map(equal).collect();
        if facts.is_empty() {
            return Err("nothing here is tracked, so there is nothing to assert; `track` shows what is".into());
        }
        let left_out = self.untracked_variables(&view);
        let number = self.add_checkpoint(facts, None)?;
        self.say(format!("Program states added - Checkpoint {number}"));
        if !left_out.is_empty() {
            self.say(format!("not asserted, as nothing reads it from here on: {}", left_out.join(", ")));
        }
        Ok(())
    }

    /// `output "3 1 4\n"`: all that the program has printed up to here.
    fn assert_output(&mut self, quoted: &str) -> Done {
        let Some(output) = unquoted(quoted) else {
            return Err(format!("`{quoted}` is no text; write for example: spec output \"3 1 4\\n\"").into());
        };
        let here = self.here()?;
        let mut before = self.now.checkpoints.iter().enumerate().filter(|(_, point)| {
            let asserted = point.output.as_ref().is_some_and(|before| !output.starts_with(before));
            asserted && self.timeline.ancestors(here).any(|id| id == point.moment)
        });
        if let Some((number, _)) = before.next_back() {
            return Err(format!("this does not begin with the output that is asserted at checkpoint {number}").into());
        }
        let number = self.add_checkpoint(Vec::new(), Some(output.clone()))?;
        self.say(format!("Output added - Checkpoint {number}: {output:?}"));
        Ok(())
    }

    /// `n4->prev == n3`
    pub(crate) fn assert_fact(&mut self, text: &str) -> Done {
        self.not_crashed()?;
        if let Some(quoted) = text.strip_prefix("output").map(str::trim).filter(|rest| rest.starts_with('"')) {
            return self.assert_output(quoted);
        }
        let (place, rest) = expression::parse_place_and_rest(text).map_err(|error| with_caret(text, &error))?;
        let rest = rest.trim();
        let known = Relation::ALL.into_iter().find_map(|(sign, relation)| Some((relation, rest.strip_prefix(sign)?)));
        // Who writes `=` means `==`.
        let known = known.or_else(|| rest.strip_prefix('=').map(|value| (Relation::Equal, value)));
        let Some((relation, value)) = known.filter(|(_, value)| !value.trim().is_empty()) else {
            return Err(format!("`{text}` is no fact; write for example: spec n4->prev == n3").into());
        };
        let found = self.place(&place)?;
        let value = self.value_for(&found, value.trim())?;
        if relation.is_order() && !matches!(value, Value::Int(_) | Value::Float(_)) {
            return Err(format!("only numbers can be compared with `{relation}`, and {value} is none").into());
        }
        let fact = Fact { entity: found.entity, relation, value };
        let view = self.view()?;
        let is_broken = !violations(std::slice::from_ref(&fact), &view.state).is_empty();
        let (shown, there) = (fact.to_string(), found.value);
        let number = self.add_checkpoint(vec![fact], None)?;
        self.say(format!("Program states added - Checkpoint {number}: {shown}"));
        if is_broken {
            self.say(format!("this is not so now, it is {there}; `change` would make it so in the running program"));
        }
        Ok(())
    }

    /// The values that can be asserted, and those of them that are not tracked.
    pub(crate) fn split_by_tracking<'v>(&self, view: &'v View) -> (Values<'v>, Values<'v>) {
        let changed = self.timeline.changed_by_user(view.moment, self.last_asserted(view));
        let is_tracked = |(entity, _): &(Entity, &Value)| {
            self.now.tracking.is_tracked(entity, self.counts_by_itself(view, entity, &changed))
        };
        leaves(&view.state).into_iter().filter(|(_, value)| is_known(value)).partition(is_tracked)
    }

    pub(crate) fn last_asserted(&self, view: &View) -> Option<crate::timeline::MomentId> {
        self.latest_checkpoint(view.moment).map(|number| self.now.checkpoints[number].moment)
    }

    /// Without rules: the heap, globals, and those variables of calls whose
    /// value is read later or was set by the user.
    fn counts_by_itself(&self, view: &View, entity: &Entity, changed: &BTreeSet<Entity>) -> bool {
        let Root::Local { frame, name, .. } = &entity.root else { return true };
        if changed.iter().any(|change| change.root == entity.root) {
            return true;
        }
        let Some(step) = view.calls.get(*frame).copied().flatten() else { return true };
        let layout = &self.layout.steps[step.index()];
        let locals = &self.program.functions[layout.function].locals;
        let local = layout.visible.iter().find_map(|visible| match *visible {
            Visible::Local(local) if locals[local].name == *name => Some(local),
            _ => None,
        });
        // What is no local is static, and lives on.
        local.is_none_or(|local| self.facts.is_live(step, LocalId(local as u32)))
    }

    /// What `spec` would not assert here.
    pub(crate) fn untracked(&mut self) -> BTreeSet<Entity> {
        match self.view() {
            Ok(view) => self.split_by_tracking(&view).1.into_iter().map(|(entity, _)| entity).collect(),
            Err(_) => BTreeSet::new(),
        }
    }

    /// The variables of the innermost call that are left out though no rule says so.
    fn untracked_variables(&self, view: &View) -> Vec<String> {
        let innermost = view.state.frames.len().wrapping_sub(1);
        let name = |entity: &Entity| match &entity.root {
            Root::Local { frame, name, .. } if *frame == innermost => Some(name.to_string()),
            _ => None,
        };
        let no_rule = |entity: &Entity| self.now.tracking.is_tracked(entity, true);
        let left_out = self.split_by_tracking(view).1;
        let names = left_out.iter().filter(|(entity, _)| no_rule(entity)).filter_map(|(entity, _)| name(entity));
        names.collect::<BTreeSet<_>>().into_iter().collect()
    }

    pub(crate) fn track(&mut self, rules: &[(bool, String)]) -> Done {
        let mut tracking = (*self.now.tracking).clone();
        for (track, name) in rules {
            let pattern = self.pattern(name)?;
            tracking.add(Rule { track: *track, pattern });
        }
        self.now.tracking = Arc::new(tracking);
        Ok(())
    }

    /// What the user means by a name: `all`, a variable, `.data` or `data` of
    /// every node, a node, a member of a node.
    fn pattern(&mut self, name: &str) -> Done<Pattern> {
        if name == "all" {
            return Ok(Pattern::All);
        }
        if let Some(field) = name.strip_prefix('.') {
            return self.field(field).ok_or_else(|| format!("no struct has a member `{field}`").into());
        }
        if let Some((function, variable)) = name.split_once(':').filter(|(function, _)| !function.starts_with('#')) {
            return self.local_of(function, variable);
        }
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if is_name && let Some(pattern) = self.variable(name) {
            return Ok(pattern);
        }
        let parsed = expression::parse(name).map_err(|error| with_caret(name, &error))?;
        match self.node_or_place(&parsed) {
            Ok(entity) => Ok(Pattern::Entity(entity)),
            Err(trouble) => self.field(name).ok_or(trouble),
        }
    }

    /// A node by its name, or a member, element or variable of another call.
    fn node_or_place(&mut self, parsed: &expression::Expression) -> Done<Entity> {
        let text = parsed.text().trim();
        let number = text.strip_prefix('n').and_then(|number| number.parse().ok());
        if let Some(id) = number.map(memory::NodeId)
            && self.view()?.state.node(id).is_some()
        {
            return Ok(Entity { root: Root::Node(id), path: String::new() });
        }
        self.place(parsed).map(|found| found.entity)
    }

    fn local_of(&self, function: &str, variable: &str) -> Done<Pattern> {
        let id = self.program.function_named(function).ok_or_else(|| self.no_function(function))?;
        let known = self.program.function(id);
        let locals = || known.locals[..known.named].iter().map(|local| &*local.name);
        match locals().any(|name| name == variable) {
            true => Ok(Pattern::Local { function: function.into(), name: variable.into() }),
            false => {
                let names: Vec<&str> = locals().collect();
                Err(format!("{function} has no variable `{variable}`; it has {}", names.join(", ")).into())
            }
        }
    }

    /// A variable that can be seen from here.
    fn variable(&mut self, name: &str) -> Option<Pattern> {
        let view = self.view().ok()?;
        if let Some(frame) = view.state.frames.last()
            && frame.variables.iter().any(|variable| &*variable.name == name)
        {
            return Some(Pattern::Local { function: frame.function.clone(), name: name.into() });
        }
        let is_global = view.state.globals.iter().any(|variable| &*variable.name == name);
        is_global.then(|| Pattern::Global(name.into()))
    }

    fn field(&self, name: &str) -> Option<Pattern> {
        let mut records = self.program.types.records();
        let known = records.any(|(_, record)| record.fields.iter().any(|field| field.name == name));
        known.then(|| Pattern::Field(name.into()))
    }

    pub(crate) fn list_tracking(&mut self) -> Done {
        let rules = self.now.tracking.rules.iter();
        let rule = |rule: &Rule| format!("{}{}", if rule.track { '+' } else { '-' }, rule.pattern);
        let mut lines: Vec<String> = Vec::new();
        if rules.len() > 0 {
            lines.push(format!("rules: {}", rules.map(rule).collect::<Vec<_>>().join(" ")));
        }
        if let Ok(view) = self.view() {
            let (tracked, untracked) = self.split_by_tracking(&view);
            lines.push(format!("`spec` would assert: {}", names(&tracked)));
            if !untracked.is_empty() {
                lines.push(format!("and would not: {}", names(&untracked)));
            }
        }
        if lines.is_empty() {
            lines.push("the heap, globals and variables that are still read are tracked".into());
        }
        self.say(lines.join("\n"));
        Ok(())
    }

    pub(crate) fn trust(&mut self, ranges: &[(u32, u32)]) -> Done {
        let mut lines = (*self.now.concrete).clone();
        for &(first, last) in ranges {
            let found = self.program.steps.iter().map(|step| step.line).filter(|line| (first..=last).contains(line));
            let found: BTreeSet<u32> = found.collect();
            if found.is_empty() {
                let range =
                    if first == last { format!("line {first} has") } else { format!("lines {first}-{last} have") };
                return Err(format!("{range} no statement").into());
            }
            lines.extend(found);
        }
        self.now.concrete = Arc::new(lines);
        self.list_trusted()
    }

    pub(crate) fn list_trusted(&mut self) -> Done {
        let lines: Vec<String> = self.now.concrete.iter().map(u32::to_string).collect();
        self.say(match lines.is_empty() {
            true => "no lines are trusted".into(),
            false => format!("trusted, and never repaired: lines {}", lines.join(", ")),
        });
        Ok(())
    }

    /// The lines that the user trusts.
    pub fn trusted_lines(&self) -> &BTreeSet<u32> {
        &self.now.concrete
    }
}

/// Whether a value can be asserted at all.
fn is_known(value: &Value) -> bool {
    !matches!(value, Value::Uninitialised | Value::Unknown | Value::Outside | Value::Address(_))
}

fn names(values: &[(Entity, &Value)]) -> String {
    const MOST: usize = 40;
    let mut names: Vec<String> = values.iter().take(MOST).map(|(entity, _)| entity.to_string()).collect();
    if values.len() > MOST {
        names.push(format!("… {} more", values.len() - MOST));
    }
    if names.is_empty() { "nothing".into() } else { names.join(", ") }
}

/// A text in quotes, with the usual escapes.
fn unquoted(text: &str) -> Option<String> {
    let mut characters = text.strip_prefix('"')?.strip_suffix('"')?.chars();
    let mut plain = String::new();
    while let Some(character) = characters.next() {
        plain.push(match character {
            '"' => return None,
            '\\' => match characters.next()? {
                'n' => '\n',
                't' => '\t',
                quoted @ ('\\' | '"') => quoted,
                _ => return None,
            },
            other => other,
        });
    }
    Some(plain)
}
