//! Annotations: contracts with their behaviors, and definitions.

use c_syntax::{BinaryOp, Span};

use super::comment::{Before, Comment};
use super::parse::{Parsed, Parser};
use super::token::{Kind, tokens};
use super::{Annotations, Binary, Clause, Contract, ContractError, Definition, Notice, Parameter, Term, TermKind};

/// Words that a definition or another global annotation begins with.
const GLOBAL: [&str; 9] = ["logic", "predicate", "axiomatic", "inductive", "lemma", "type", "global", "ghost", "axiom"];
/// Clauses that are read over.
const IGNORED: [&str; 10] =
    ["terminates", "decreases", "allocates", "frees", "exits", "reads", "complete", "disjoint", "breaks", "from"];

/// Whether an annotation is none of a function, though one may follow it.
pub(super) fn is_global(bytes: &[u8], inside: Span) -> bool {
    let first = tokens(bytes, inside).ok().and_then(|tokens| tokens.into_iter().next());
    matches!(first, Some(token) if matches!(&token.kind, Kind::Name(word) if GLOBAL.contains(&word.as_str())))
}

/// Reads one annotation.
pub(super) fn annotation(bytes: &[u8], comment: &Comment, found: &mut Annotations) -> Parsed<()> {
    if comment.before == Before::Statement {
        let text = String::from_utf8_lossy(&bytes[comment.inside.start as usize..comment.inside.end as usize]);
        let first = text.split_whitespace().next().unwrap_or_default().to_string();
        notice(found, comment.inside, format!("`{first} …` inside of a function is not used"));
        return Ok(());
    }
    let mut parser = Parser::new(tokens(bytes, comment.inside)?);
    if parser.is_over() {
        return Ok(());
    }
    let first = parser.name().unwrap_or_default().to_string();
    if GLOBAL.contains(&first.as_str()) {
        while !parser.is_over() {
            global(&mut parser, found)?;
        }
        return Ok(());
    }
    match &comment.before {
        Before::Function(name) => {
            let mut contract = contract(&mut parser, found, comment.inside)?;
            contract.function = name.clone();
            match found.contracts.iter_mut().find(|known| known.function == *name) {
                Some(known) => join(known, contract),
                None => found.contracts.push(contract),
            }
            Ok(())
        }
        Before::Statement | Before::Other => {
            notice(found, comment.inside, "this annotation stands before no function and is not used".into());
            Ok(())
        }
    }
}

fn notice(found: &mut Annotations, span: Span, message: String) {
    found.notices.push(Notice { span, message });
}

/// A contract at the declaration and one at the definition are one.
fn join(known: &mut Contract, more: Contract) {
    known.requires.extend(more.requires);
    known.ensures.extend(more.ensures);
    match (&mut known.assigns, more.assigns) {
        (Some(all), Some(more)) => all.extend(more),
        (all @ None, more) => *all = more,
        _ => {}
    }
}

/// A behavior that is being read.
#[derive(Default)]
struct Behavior {
    name: Option<String>,
    assumes: Vec<Term>,
}

impl Behavior {
    /// What it assumes, and what follows from that.
    fn implies(&self, predicate: Term, in_old: bool) -> Term {
        let wrap = |term: &Term| match in_old {
            true => Term::new(TermKind::Old(Box::new(term.clone())), term.span),
            false => term.clone(),
        };
        let assumed = self.assumes.iter().map(wrap).reduce(|a, b| Term::binary(Binary::And, a, b));
        match assumed {
            Some(assumed) => {
                let span = predicate.span;
                Term { span, ..Term::binary(Binary::Implies, assumed, predicate) }
            }
            None => predicate,
        }
    }
}

fn contract(parser: &mut Parser, found: &mut Annotations, span: Span) -> Parsed<Contract> {
    let mut contract = Contract { span, ..Contract::default() };
    let mut behavior = Behavior::default();
    while !parser.is_over() {
        // `check requires`, `admit ensures`: how Frama-C treats them makes no difference here.
        while parser.is_name("check") || parser.is_name("admit") {
            parser.advance();
        }
        let place = parser.span();
        let word = parser.name().unwrap_or_default().to_string();
        if !word.is_empty() {
            parser.advance();
        }
        match word.as_str() {
            "requires" | "ensures" => {
                let predicate = parser.term()?;
                let span = predicate.span;
                let is_post = word == "ensures";
                if let (false, Some(result)) = (is_post, place_of_result(&predicate)) {
                    return Err(ContractError::new(result, "there is no \\result and no \\old before the call"));
                }
                let predicate = behavior.implies(predicate, is_post);
                let clause = Clause { predicate, span, behavior: behavior.name.clone() };
                if is_post {
                    contract.ensures.push(clause)
                } else {
                    contract.requires.push(clause)
                }
                end(parser)?;
            }
            "assumes" => {
                behavior.assumes.push(parser.term()?);
                end(parser)?;
            }
            "assigns" | "writes" => assigns(parser, &mut contract, &behavior, found)?,
            "behavior" => {
                behavior = Behavior { name: Some(parser.identifier("a name")?), assumes: vec![] };
                parser.expect(":")?;
            }
            ignored if IGNORED.contains(&ignored) => {
                skip_clause(parser);
                if !matches!(ignored, "complete" | "disjoint" | "terminates" | "exits") {
                    let span = Span { end: parser.last_end(), ..place };
                    notice(found, span, format!("`{ignored}` is not used"));
                }
            }
            _ if GLOBAL.contains(&word.as_str()) => {
                return Err(ContractError::new(
                    place,
                    "a definition is an annotation of its own: end the contract before it",
                ));
            }
            _ => {
                return Err(ContractError::new(
                    place,
                    "a clause is expected here: requires, ensures, assigns, behavior NAME:, assumes",
                ));
            }
        }
    }
    Ok(contract)
}

/// The place of what a precondition cannot speak of.
fn place_of_result(predicate: &Term) -> Option<Span> {
    match predicate.kind {
        TermKind::Result | TermKind::Old(_) => Some(predicate.span),
        _ => predicate.parts().into_iter().find_map(place_of_result),
    }
}

fn end(parser: &mut Parser) -> Parsed<()> {
    if parser.take_sign(";") { Ok(()) } else { parser.unexpected("an operator, or `;` at the end of the clause") }
}

fn skip_clause(parser: &mut Parser) {
    while !parser.is_over() && !parser.take_sign(";") {
        parser.advance();
    }
}

fn assigns(parser: &mut Parser, contract: &mut Contract, behavior: &Behavior, found: &mut Annotations) -> Parsed<()> {
    let mut places = vec![];
    let start = parser.span();
    loop {
        let place = parser.range_or_term()?;
        // `assigns x \from y`: only the place matters here.
        if parser.is_name("\\from") {
            while !parser.is_over() && !parser.sign(",") && !parser.sign(";") {
                parser.advance();
            }
            // What comes after a comma may still belong to `\from`; a place would be repeated there.
            if parser.sign(",") {
                skip_clause(parser);
                places.push(place);
                contract.assigns.get_or_insert_default().extend(places);
                return Ok(());
            }
        }
        if place.kind != TermKind::Nothing {
            places.push(place);
        }
        if !parser.take_sign(",") {
            break;
        }
    }
    end(parser)?;
    if behavior.name.is_some() {
        let span = Span { end: parser.last_end(), ..start };
        notice(found, span, "`assigns` of a behavior counts for the whole contract".into());
    }
    contract.assigns.get_or_insert_default().extend(places);
    Ok(())
}

/// A definition, or something that is read over.
fn global(parser: &mut Parser, found: &mut Annotations) -> Parsed<()> {
    let place = parser.span();
    let word = parser.name().unwrap_or_default().to_string();
    parser.advance();
    match word.as_str() {
        "logic" => {
            let ty = parser.type_name()?;
            definition(parser, found, Some(ty), place)
        }
        "predicate" => definition(parser, found, None, place),
        "axiomatic" => axiomatic(parser, found),
        _ => {
            let braces = word == "inductive";
            skip_global(parser, braces);
            let span = Span { end: parser.last_end(), ..place };
            notice(found, span, format!("`{word}` is not used"));
            Ok(())
        }
    }
}

fn skip_global(parser: &mut Parser, braces: bool) {
    let mut depth = 0;
    while !parser.is_over() {
        match parser.advance().kind {
            Kind::Sign("{") => depth += 1,
            Kind::Sign("}") => {
                depth -= 1;
                if depth == 0 && braces && !parser.sign("(") {
                    return;
                }
            }
            Kind::Sign(";") if depth == 0 => return,
            _ => {}
        }
    }
}

/// `name{L}(int *a, integer n) = body;`
fn definition(parser: &mut Parser, found: &mut Annotations, result: Option<String>, start: Span) -> Parsed<()> {
    let (name, parameters) = head(parser)?;
    let two_states = parser.labelled.len() > 1;
    if parser.is_name("reads") || parser.sign(";") {
        skip_clause(parser);
        let span = Span { end: parser.last_end(), ..start };
        notice(found, span, format!("`{name}` has no definition and cannot be computed"));
        return Ok(());
    }
    parser.expect("=")?;
    let body = parser.term()?;
    end(parser)?;
    let span = Span { end: parser.last_end(), ..start };
    found.definitions.push(Definition { name, parameters, result, body, two_states, span });
    Ok(())
}

fn head(parser: &mut Parser) -> Parsed<(String, Vec<Parameter>)> {
    let name = parser.identifier("a name")?;
    parser.labelled = parser.labels()?;
    let mut parameters = vec![];
    if parser.take_sign("(") {
        while !parser.sign(")") {
            let mut ty = parser.type_name()?;
            let name = parser.identifier("a name")?;
            if parser.take_sign("[") {
                while !parser.is_over() && !parser.take_sign("]") {
                    parser.advance();
                }
                ty += " *";
            }
            parameters.push(Parameter { ty, name });
            if !parser.take_sign(",") {
                break;
            }
        }
        parser.expect(")")?;
    }
    Ok((name, parameters))
}

/// A function that an `axiomatic` block declares, with the cases that its axioms give.
struct Declared {
    name: String,
    parameters: Vec<Parameter>,
    result: Option<String>,
    cases: Vec<(Option<Term>, Term)>,
    two_states: bool,
    span: Span,
}

/// `axiomatic A { logic … ; axiom … ; }`: axioms of the form
/// `\forall …; guard ==> f(x, y) == e` are the cases of a definition.
fn axiomatic(parser: &mut Parser, found: &mut Annotations) -> Parsed<()> {
    parser.identifier("a name")?;
    parser.expect("{")?;
    let mut declared: Vec<Declared> = vec![];
    while !parser.is_over() && !parser.take_sign("}") {
        let start = parser.span();
        let word = parser.name().unwrap_or_default().to_string();
        parser.advance();
        match word.as_str() {
            "logic" | "predicate" => {
                let result = if word == "logic" { Some(parser.type_name()?) } else { None };
                let at = parser.span();
                let (name, parameters) = head(parser)?;
                let two_states = parser.labelled.len() > 1;
                if parser.take_sign("=") {
                    let body = parser.term()?;
                    end(parser)?;
                    let span = Span { end: parser.last_end(), ..start };
                    found.definitions.push(Definition { name, parameters, result, body, two_states, span });
                } else {
                    skip_clause(parser);
                    declared.push(Declared { name, parameters, result, cases: vec![], two_states, span: at });
                }
            }
            "axiom" => {
                parser.identifier("a name")?;
                parser.labelled = parser.labels()?;
                parser.expect(":")?;
                let axiom = parser.term()?;
                end(parser)?;
                if !as_case(&axiom, &mut declared) {
                    notice(found, axiom.span, "this axiom is not the case of a definition and is not used".into());
                }
            }
            _ => {
                skip_global(parser, word == "inductive");
                let span = Span { end: parser.last_end(), ..start };
                notice(found, span, format!("`{word}` is not used"));
            }
        }
    }
    for function in declared {
        define(function, found);
    }
    Ok(())
}

/// Takes an axiom as a case of the function that it speaks of.
fn as_case(axiom: &Term, declared: &mut [Declared]) -> bool {
    let mut body = axiom;
    while let TermKind::Quantified { all: true, body: inner, .. } = &body.kind {
        body = inner;
    }
    let mut guard: Option<Term> = None;
    while let TermKind::Binary(Binary::Implies, condition, then) = &body.kind {
        let condition = (**condition).clone();
        guard = Some(match guard {
            Some(guard) => Term::binary(Binary::And, guard, condition),
            None => condition,
        });
        body = then;
    }
    let TermKind::Binary(Binary::C(BinaryOp::Equal) | Binary::Iff, call, value) = &body.kind else { return false };
    let TermKind::Call(name, arguments) = &call.kind else { return false };
    let fits = |function: &&mut Declared| function.name == *name && function.parameters.len() == arguments.len();
    let Some(function) = declared.iter_mut().find(fits) else { return false };
    let mut names = vec![];
    for argument in arguments {
        match &argument.kind {
            TermKind::Name(name) if !names.contains(name) => names.push(name.clone()),
            _ => return false,
        }
    }
    // The names of this axiom become the names of the parameters.
    let rename = |term: &Term| {
        let pairs: Vec<(&str, &str)> =
            names.iter().map(String::as_str).zip(function.parameters.iter().map(|p| p.name.as_str())).collect();
        renamed(term, &pairs)
    };
    let case = (guard.as_ref().map(rename), rename(value));
    function.cases.push(case);
    true
}

/// The definition by cases; the last case needs no guard.
fn define(function: Declared, found: &mut Annotations) {
    let Declared { name, parameters, result, mut cases, two_states, span } = function;
    let Some((_, last)) = cases.pop() else {
        notice(found, span, format!("`{name}` has no definition and cannot be computed"));
        return;
    };
    let body = cases.into_iter().rev().fold(last, |otherwise, (guard, value)| match guard {
        Some(guard) => {
            let span = value.span;
            Term::new(TermKind::Conditional(Box::new(guard), Box::new(value), Box::new(otherwise)), span)
        }
        None => value,
    });
    found.definitions.push(Definition { name, parameters, result, body, two_states, span });
}

/// The term with other names.
fn renamed(term: &Term, pairs: &[(&str, &str)]) -> Term {
    let mut term = term.clone();
    rename(&mut term, pairs);
    term
}

fn rename(term: &mut Term, pairs: &[(&str, &str)]) {
    use TermKind::*;
    match &mut term.kind {
        Name(name) => {
            if let Some((_, new)) = pairs.iter().find(|(old, _)| old == name) {
                *name = (*new).into();
            }
        }
        Int(_) | Truth(_) | Null | Result | Given(_) | Nothing => {}
        Old(a) | Unary(_, a) | Member(a, _) | Cast(_, a) => rename(a, pairs),
        Binary(_, a, b) | Index(a, b) | Let(_, a, b) => [a, b].into_iter().for_each(|part| rename(part, pairs)),
        Conditional(a, b, c) => [a, b, c].into_iter().for_each(|part| rename(part, pairs)),
        Call(_, all) | Valid(all) => all.iter_mut().for_each(|part| rename(part, pairs)),
        Range(a, b) => a.iter_mut().chain(b).for_each(|part| rename(part, pairs)),
        Quantified { body, .. } => rename(body, pairs),
        Fold { low, high, body, .. } => [low, high, body].into_iter().for_each(|part| rename(part, pairs)),
    }
}
