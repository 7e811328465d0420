//! Mutations: small changes of operators, constants, variables and conditions.
//!
//! The levels 1 and 2 are those of Table 1 of Rothenberg and Grumberg, "Must
//! Fault Localization for Program Repair"; level 3 has more that people get
//! wrong. Each mutation is a choice inside of the program ([`Mutated::unit`])
//! and an edit of exact tokens ([`Mutated::edits`]): `a < b` in
//! `if (a < b && c)` can become `a <= b`, and that is one byte more.
//!
//! What is written in the body of a `#define` of the file is a place like any
//! other: one mutation changes all uses. It is left alone if one of the uses
//! can not be modelled (a `case` label, the length of an array, an initialiser
//! of a global, an assertion). `walk.rs` goes through the program and asks
//! `propose.rs` about each expression; one file each tells what can become of
//! operators, constants (`constant.rs`, `named.rs`), variables, operands
//! (`call.rs`) and conditions. `write.rs` makes the text.

mod call;
mod condition;
mod constant;
mod definition;
mod named;
mod operator;
mod propose;
mod protect;
mod variable;
mod walk;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use c_syntax::{Change, SelectorId, Span, Unit};
use patch::Edit;

use self::walk::{Pass, Walk};

/// How far mutations go; each level has those of the levels below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Operators, within small sets: `{+, -}`, `{/, %}`, `{>, >=}`, `{<, <=}`, `{||, &&}`, `{>>, <<}`, `{&, |, ^}`.
    One,
    /// Wider sets, `{+, -, *}`, `{>, >=, <, <=}`, `{==, !=}` (also where a test of `x` means `x != 0`), and
    /// constants: `C + 1`, `C - 1`, `-C`, `0`.
    Two,
    /// Variables, constants that have names, calls for operands, indices, conditions, all comparisons, statements
    /// that are too many.
    Three,
}

/// A place where at most one mutation may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteId(pub u32);

/// A change of the program.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// It is made where this is 1.
    pub selector: SelectorId,
    /// Of all mutations with this site at most one may be made.
    pub site: SiteId,
    /// The least level that has it.
    pub level: Level,
    /// The token, expression or statement that is changed.
    pub span: Span,
    /// What is done, such as "`<` to `<=`".
    pub what: String,
    /// The function it is in; none if it is in the definition of a macro.
    pub function: Option<Arc<str>>,
    /// The text if only this mutation is made.
    pub edits: Vec<Edit>,
}

/// A program with all its mutations.
#[derive(Clone, Debug)]
pub struct Mutated {
    /// The program with choices. Selector `n` is that of the `n`th mutation.
    pub unit: Unit,
    /// All mutations in the order of the file, those of a site together.
    pub mutations: Vec<Mutation>,
}

impl Mutated {
    /// The edits that make the text of the program with these mutations, which
    /// are at most one of each site. `None` if that can not be written: an
    /// operator in the body of a macro may need parentheses elsewhere.
    pub fn edits(&self, on: &[SelectorId]) -> Option<Vec<Edit>> {
        write::edits(&self.unit, on)
    }
}

/// All mutations of a program up to a level, or only those of some functions
/// and of the macros that these use.
pub fn mutate(unit: &Unit, level: Level, only: Option<&[&str]>) -> Mutated {
    let mut found = Found::default();
    Walk::new(unit, level, only, Pass::Find(&mut found)).run();
    let mut kept = found.keep(unit);
    loop {
        let mutated = attach(unit, level, &kept);
        let unwritten = kept.retain_written(&mutated);
        if !unwritten {
            return mutated;
        }
    }
}

fn attach(unit: &Unit, level: Level, kept: &Kept) -> Mutated {
    let unit = Walk::new(unit, level, None, Pass::Attach(kept)).run();
    let mut mutations = Vec::new();
    for (site, sites) in kept.sites.values().enumerate() {
        for one in &sites.proposals {
            mutations.push(Mutation {
                selector: one.selector,
                site: SiteId(site as u32),
                level: one.proposal.level,
                span: one.proposal.span,
                what: one.proposal.what.clone(),
                function: sites.function.clone(),
                edits: write::edits(&unit, &[one.selector]).unwrap_or_default(),
            });
        }
    }
    let unit = Unit { selectors: mutations.len() as u32, ..unit };
    Mutated { unit, mutations }
}

/// What kind of thing is changed at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Group {
    /// The operator of an expression.
    Operator,
    /// A constant or the name of a variable.
    Token,
    /// An index.
    Shift,
    /// A whole operand.
    Operand,
    /// A condition.
    Truth,
    /// A whole statement.
    Statement,
}

/// A site is known by the bytes that are changed, so that all uses of a
/// macro's body or argument are one.
type SiteKey = (Span, Group);

/// What could become of a node.
#[derive(Clone, Debug)]
struct Proposal {
    key: SiteKey,
    /// Nothing for a statement that is left out.
    change: Option<Change>,
    level: Level,
    span: Span,
    what: String,
}

/// All that the first walk found.
#[derive(Default)]
struct Found {
    sites: BTreeMap<SiteKey, FoundSite>,
    /// Sites that are also somewhere where nothing may be changed.
    blocked: BTreeSet<SiteKey>,
    /// How often each variable or constant that is written is used: an argument of a macro may be used often.
    leaves: BTreeMap<Span, usize>,
}

#[derive(Default)]
struct FoundSite {
    proposals: Vec<Proposal>,
    /// The function it is in, if it is not in the definition of a macro.
    function: Option<Arc<str>>,
    /// Where it is used.
    uses: Vec<Span>,
    /// Whether it is in one of the functions that may be changed.
    wanted: bool,
}

impl Found {
    fn add(&mut self, proposals: Vec<Proposal>, place: Span, function: &Arc<str>, wanted: bool) {
        let mut keys: BTreeMap<SiteKey, Vec<Proposal>> = BTreeMap::new();
        for proposal in proposals {
            keys.entry(proposal.key).or_default().push(proposal);
        }
        for (key, new) in keys {
            let site =
                self.sites.entry(key).or_insert_with(|| FoundSite { proposals: new.clone(), ..Default::default() });
            // What is used at several places can become what is possible at all of them.
            site.proposals.retain(|one| new.iter().any(|other| other.what == one.what));
            site.wanted |= wanted;
            site.function = place.covers(key.0).then(|| function.clone());
            site.uses.push(place);
        }
    }

    /// The sites that can be modelled wherever they are used.
    fn keep(self, unit: &Unit) -> Kept {
        let definitions = definition::Definitions::of(&unit.source);
        let mut kept = Kept::default();
        for (key, site) in self.sites {
            let leaf = self.leaves.get(&key.0).is_some_and(|&uses| uses != site.uses.len());
            let blocked = self.blocked.contains(&key) || !site.wanted || (leaf && key.1 == Group::Token);
            if blocked || (site.function.is_none() && !definitions.all_used(key.0, &site.uses)) {
                continue;
            }
            let selected = |proposal| Selected { proposal, selector: SelectorId(0) };
            let once =
                |one: &Proposal| one.span == key.0 && key.1 < Group::Shift || is_used_once(&self.leaves, one.span);
            let proposals = site.proposals.into_iter().filter(once).map(selected).collect();
            kept.sites.insert(key, KeptSite { proposals, function: site.function });
        }
        kept.number();
        kept
    }
}

/// Whether everything inside of a span is used once: what is an argument of a
/// macro may be a condition in one use and a value in another.
fn is_used_once(leaves: &BTreeMap<Span, usize>, span: Span) -> bool {
    let inside = leaves.range(Span { start: span.start, end: 0 }..).take_while(|(leaf, _)| leaf.start < span.end);
    inside.into_iter().all(|(_, &uses)| uses == 1)
}

/// The sites that are mutated.
#[derive(Default)]
struct Kept {
    sites: BTreeMap<SiteKey, KeptSite>,
}

struct KeptSite {
    proposals: Vec<Selected>,
    function: Option<Arc<str>>,
}

struct Selected {
    proposal: Proposal,
    selector: SelectorId,
}

impl Kept {
    fn number(&mut self) {
        self.sites.retain(|_, site| !site.proposals.is_empty());
        for (number, one) in self.sites.values_mut().flat_map(|site| &mut site.proposals).enumerate() {
            one.selector = SelectorId(number as u32);
        }
    }

    fn selector(&self, proposal: &Proposal) -> Option<SelectorId> {
        let site = self.sites.get(&proposal.key)?;
        site.proposals.iter().find(|one| one.proposal.what == proposal.what).map(|one| one.selector)
    }

    /// Leaves out what has no text, and whether there was any.
    fn retain_written(&mut self, mutated: &Mutated) -> bool {
        let before = mutated.mutations.len();
        let is_written = |selector: SelectorId| !mutated.mutations[selector.0 as usize].edits.is_empty();
        for site in self.sites.values_mut() {
            site.proposals.retain(|one| is_written(one.selector));
        }
        self.number();
        before != self.sites.values().map(|site| site.proposals.len()).sum::<usize>()
    }
}
