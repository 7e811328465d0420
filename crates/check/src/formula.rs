//! The question as one term: which inputs make the program go wrong.

use std::time::Instant;

use encode::program::{Bounds, Inputs, Request, Source, TooLarge, Unfolded, Violation, differ, unfold};
use ir::{Code, OperandKind, Program};
use solver::{Term, Terms};

use crate::task::{Side, Task};

/// The program formula of a program and its reference.
#[derive(Debug)]
pub struct Formula {
    /// All terms.
    pub terms: Terms,
    /// All inputs.
    pub inputs: Inputs,
    /// The program.
    pub program: Unfolded,
    /// The reference.
    pub reference: Option<Unfolded>,
    /// With how many arguments a whole program is run, its name included.
    pub arguments: u32,
    /// Which inputs count: the reference does nothing undefined with them, stays within the bound and is modelled.
    pub counts: Term,
    /// Inputs that do not count because the reference is undefined there.
    pub undefined: Term,
    /// Inputs that do not count because the reference goes on past the bound.
    pub reference_unwound: Term,
    /// The program does something that it must not.
    pub violated: Term,
    /// The program ends well, but not as its reference does.
    pub different: Term,
    /// The program goes on past the bound.
    pub unwound: Term,
    /// The program comes to what is not modelled.
    pub unmodelled: Term,
}

impl Formula {
    /// Inputs that count and with which the program goes wrong.
    pub fn wrong(&mut self) -> Term {
        let bad = self.terms.or(self.violated, self.different);
        let modelled = self.terms.not(self.unmodelled);
        self.terms.all(&[self.counts, bad, modelled])
    }

    /// Inputs that count and with which nothing is proved: wrong, past the bound, or not modelled.
    pub fn not_proved(&mut self) -> Term {
        let any = self.terms.any(&[self.violated, self.different, self.unwound, self.unmodelled]);
        self.terms.and(self.counts, any)
    }
}

/// The formula of a task; `selectors` are the terms of the program's choices.
pub fn formula(
    task: &Task,
    program: &Program,
    mut terms: Terms,
    selectors: &[Term],
    define: bool,
) -> Result<Formula, TooLarge> {
    let mut inputs = Inputs::default();
    let arguments = task.options.arguments.unwrap_or_else(|| {
        let sides = std::iter::once(&task.program).chain(&task.reference);
        sides.map(|side| arguments(&side.program)).max().unwrap_or(1)
    });
    fn request(side: &Side, bounds: Bounds, arguments: u32, until: Option<Instant>) -> Request<'_> {
        Request { program: &side.program, entry: side.entry, bounds, arguments, until, define: false, selectors: &[] }
    }
    let bounds = task.options.bounds;
    let until = Instant::now().checked_add(task.options.timeout);
    // The reference first, so that its inputs have the types that it reads.
    let reference = match &task.reference {
        Some(side) => Some(unfold(&request(side, bounds, arguments, until), &mut terms, &mut inputs)?),
        None => None,
    };
    let main = Request { program, selectors, define, ..request(&task.program, bounds, arguments, until) };
    let unfolded = unfold(&main, &mut terms, &mut inputs)?;
    let violated = any(&mut terms, &unfolded.violations);
    let unwound = any(&mut terms, &unfolded.unwound);
    let unmodelled = any_unmodelled(&mut terms, &unfolded);
    let ranges = within(&mut terms, &inputs, &task.options.input_ranges);
    let mut counts = vec![ranges];
    let no = terms.constant(false);
    let (mut undefined, mut different, mut reference_unwound) = (no, no, no);
    if let Some(reference) = &reference {
        undefined = any(&mut terms, &reference.violations);
        reference_unwound = any(&mut terms, &reference.unwound);
        undefined = terms.and(undefined, ranges);
        reference_unwound = terms.and(reference_unwound, ranges);
        let odd = any_unmodelled(&mut terms, reference);
        let out = terms.any(&[undefined, reference_unwound, odd]);
        counts.push(terms.not(out));
        counts.push(reference.assumed);
        counts.push(unfolded.assumed);
        different = differences(&mut terms, &unfolded, reference);
        let trouble = terms.any(&[violated, unwound]);
        let well = terms.not(trouble);
        different = terms.and(different, well);
    }
    if !task.options.unwinding_assertions {
        counts.push(terms.not(unwound));
    }
    let counts = terms.all(&counts);
    Ok(Formula {
        terms,
        inputs,
        program: unfolded,
        reference,
        arguments,
        counts,
        undefined,
        reference_unwound,
        violated,
        different,
        unwound,
        unmodelled,
    })
}

/// That the numbers of standard input and of the command line are within their ranges.
fn within(terms: &mut Terms, inputs: &Inputs, ranges: &[(i64, i64)]) -> Term {
    let Some(last) = ranges.last() else { return terms.constant(true) };
    let mut all = vec![];
    for input in &inputs.all {
        // The first argument of the command line is the program's name.
        let place = match input.source {
            Source::Number => input.number as usize,
            Source::Argument if input.number > 0 => input.number as usize - 1,
            _ => continue,
        };
        let (low, high) = ranges.get(place).unwrap_or(last);
        let (low, high) = (terms.bits(*low as u64, 64), terms.bits(*high as u64, 64));
        all.extend([terms.sle(low, input.term), terms.sle(input.term, high)]);
    }
    terms.all(&all)
}

fn any(terms: &mut Terms, violations: &[Violation]) -> Term {
    let all: Vec<Term> = violations.iter().map(|violation| violation.when).collect();
    terms.any(&all)
}

fn any_unmodelled(terms: &mut Terms, unfolded: &Unfolded) -> Term {
    let all: Vec<Term> = unfolded.unmodelled.iter().map(|one| one.when).collect();
    terms.any(&all)
}

/// Whether two runs print different things or end with different status.
fn differences(terms: &mut Terms, program: &Unfolded, reference: &Unfolded) -> Term {
    let output = differ(terms, &program.output, &reference.output);
    let (a, b) = (status(terms, program), status(terms, reference));
    let exit = terms.ne(a, b);
    terms.or(output, exit)
}

/// The exit status: 0 to 255 is what others see of it.
fn status(terms: &mut Terms, unfolded: &Unfolded) -> Term {
    let mut found = terms.bits(0, 8);
    for (when, status) in unfolded.ends.iter().rev() {
        let low = terms.extract(*status, 7, 0);
        found = terms.ite(*when, low, found);
    }
    found
}

/// The number of arguments that a program looks at: one more than the largest known index of `argv`.
fn arguments(program: &Program) -> u32 {
    let Some(main) = program.function_named("main") else { return 1 };
    let main = program.function(main);
    if main.parameters < 2 {
        return 1;
    }
    let mut most = 0;
    indices(&main.body, &mut most);
    most + 1
}

/// The largest constant index of a pointer in memory, in code that may read `argv`.
fn indices(code: &[Code], most: &mut u32) {
    for item in code {
        match item {
            Code::Act(action) => {
                if let ir::ActionKind::Assign { value: ir::Rvalue::Load(access), .. } = &action.kind
                    && let ir::AccessRoot::Deref(pointer) = &access.root
                    && matches!(pointer.kind, OperandKind::Local(ir::LocalId(1)))
                {
                    for projection in &access.path {
                        if let ir::Projection::Index { index, .. } = projection
                            && let OperandKind::Int(value) = index.kind
                        {
                            *most = (*most).max(value.clamp(0, 64) as u32);
                        }
                    }
                }
            }
            Code::If { then, otherwise, .. } => {
                indices(then, most);
                indices(otherwise, most);
            }
            Code::Loop(looped) => {
                [&looped.condition, &looped.body, &looped.update].into_iter().for_each(|part| indices(part, most))
            }
            Code::Switch { body, .. } => indices(body, most),
            _ => {}
        }
    }
}
