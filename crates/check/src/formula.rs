//! The question as one term: which inputs make the program go wrong.

use std::time::Instant;

use encode::program::{Inputs, Open, Request, Source, TooLarge, Unfolded, Violation, differ, unfold};
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

/// The formula of a task, with what its program leaves open.
pub fn formula(
    task: &Task,
    program: &Program,
    terms: Terms,
    open: Open<'_>,
    define: bool,
) -> Result<Formula, TooLarge> {
    let mut ground = Ground::new(task, terms)?;
    let request = Request { program, open, define, ..ground.request(task, &task.program) };
    let unfolded = unfold(&request, &mut ground.terms, &mut ground.inputs)?;
    let judged = ground.judge(&unfolded);
    let counting = ground.counting(task);
    let terms = &mut ground.terms;
    let mut counts = vec![counting.counts];
    if ground.reference.is_some() {
        counts.push(unfolded.assumed);
    }
    if !task.options.unwinding_assertions {
        counts.push(terms.not(judged.unwound));
    }
    let counts = terms.all(&counts);
    Ok(Formula {
        terms: ground.terms,
        inputs: ground.inputs,
        program: unfolded,
        reference: ground.reference,
        arguments: ground.arguments,
        counts,
        undefined: counting.undefined,
        reference_unwound: counting.unwound,
        violated: judged.violated,
        different: judged.different,
        unwound: judged.unwound,
        unmodelled: judged.unmodelled,
    })
}

/// What is the same for all forms of the program: its reference and the inputs.
pub(crate) struct Ground {
    pub(crate) terms: Terms,
    pub(crate) inputs: Inputs,
    pub(crate) reference: Option<Unfolded>,
    arguments: u32,
    until: Option<Instant>,
}

/// Which inputs count, and which do not because of the reference.
pub(crate) struct Counting {
    pub(crate) counts: Term,
    undefined: Term,
    unwound: Term,
}

/// What can be wrong with a run.
pub(crate) struct Judged {
    pub(crate) violated: Term,
    pub(crate) different: Term,
    pub(crate) unwound: Term,
    pub(crate) unmodelled: Term,
}

impl Ground {
    /// The reference comes first, so that inputs have the types that it reads.
    pub(crate) fn new(task: &Task, terms: Terms) -> Result<Ground, TooLarge> {
        let arguments = task.options.arguments.unwrap_or_else(|| {
            let sides = std::iter::once(&task.program).chain(&task.reference);
            sides.map(|side| arguments(&side.program)).max().unwrap_or(1)
        });
        let until = Instant::now().checked_add(task.options.timeout);
        let mut ground = Ground { terms, inputs: Inputs::default(), reference: None, arguments, until };
        if let Some(side) = &task.reference {
            let request = ground.request(task, side);
            ground.reference = Some(unfold(&request, &mut ground.terms, &mut ground.inputs)?);
        }
        Ok(ground)
    }

    /// How one of the programs is run.
    pub(crate) fn request<'a>(&self, task: &Task, side: &'a Side) -> Request<'a> {
        Request {
            program: &side.program,
            entry: side.entry,
            bounds: task.options.bounds,
            arguments: self.arguments,
            until: self.until,
            define: false,
            open: Open::default(),
        }
    }

    /// What is wrong with the program, or with one path of it.
    pub(crate) fn judge(&mut self, unfolded: &Unfolded) -> Judged {
        let terms = &mut self.terms;
        let violated = any(terms, &unfolded.violations);
        let unwound = any(terms, &unfolded.unwound);
        let unmodelled = any_unmodelled(terms, unfolded);
        let mut different = terms.constant(false);
        if let Some(reference) = &self.reference {
            let trouble = terms.any(&[violated, unwound]);
            let well = terms.not(trouble);
            different = differences(terms, unfolded, reference);
            different = terms.and(different, well);
        }
        Judged { violated, different, unwound, unmodelled }
    }

    /// Which inputs count: those within their ranges with which the reference is defined and within the bound.
    pub(crate) fn counting(&mut self, task: &Task) -> Counting {
        let terms = &mut self.terms;
        let ranges = within(terms, &self.inputs, &task.options.input_ranges);
        let no = terms.constant(false);
        let Some(reference) = &self.reference else {
            return Counting { counts: ranges, undefined: no, unwound: no };
        };
        let undefined = any(terms, &reference.violations);
        let unwound = any(terms, &reference.unwound);
        let undefined = terms.and(undefined, ranges);
        let unwound = terms.and(unwound, ranges);
        let odd = any_unmodelled(terms, reference);
        let out = terms.any(&[undefined, unwound, odd]);
        let fine = terms.not(out);
        Counting { counts: terms.all(&[ranges, fine, reference.assumed]), undefined, unwound }
    }
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
