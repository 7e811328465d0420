//! The model agrees with the interpreter.
//!
//! A run is recorded with a demand before every statement that asserts all that
//! is known then, so following the trace without edits compares every state of
//! the model with that of the interpreter. Any other answer than `Meets` is a
//! bug, but for what the model says it does not follow.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use encode::{Model, Prepared, Recorder, Trace, Verdict};
use execute::interpreter::Interpreter;
use execute::{Executor, Input, RunOptions};
use ir::{FunctionId, StepKind};
use memory::{Value, leaves};
use spec::{Fact, Relation};

/// Instructions that a run may take.
const LIMIT: u64 = 50_000_000;

/// A C file with what its marks say.
struct Case {
    path: PathBuf,
    inputs: Vec<Vec<String>>,
    stdin: Vec<u8>,
    function: Option<String>,
}

fn cases(folder: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be listed").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    paths.into_iter().map(case).collect()
}

fn case(path: PathBuf) -> Case {
    let text = String::from_utf8_lossy(&std::fs::read(&path).expect("it can be read")).into_owned();
    let marks = |name: &str| -> Vec<String> {
        let mark = format!("//~ {name}:");
        text.lines().filter_map(|line| line.split_once(&mark)).map(|(_, value)| value.trim().to_string()).collect()
    };
    let words = |text: String| text.split_whitespace().map(String::from).collect();
    let mut inputs: Vec<Vec<String>> = marks("INPUT").into_iter().chain(marks("UNSEEN")).map(words).collect();
    if inputs.is_empty() {
        inputs.push(Vec::new());
    }
    let first = |functions: String| functions.split(',').next().map(|name| name.trim().to_string());
    let function = marks("FUNCTION").pop().and_then(first);
    let stdin = marks("STDIN").pop().unwrap_or_default().replace("\\n", "\n").replace("\\t", "\t");
    Case { path, inputs, stdin: stdin.into_bytes(), function }
}

impl Case {
    fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    fn start(&self, model: &Model, arguments: &[String]) -> Option<Interpreter> {
        let input = Input::Bytes(self.stdin.clone());
        let options = RunOptions { arguments: arguments.to_vec(), input, ..RunOptions::default() };
        Interpreter::start(model.program.clone(), &options).ok()
    }
}

/// Everything that is known where the program stands.
fn everything(executor: &mut Interpreter) -> Vec<Fact> {
    let state = executor.state().expect("it can be read");
    let known = |value: &Value| !matches!(value, Value::Uninitialised | Value::Unknown);
    let facts = leaves(&state).into_iter().filter(|(_, value)| known(value));
    facts.map(|(entity, value)| Fact { entity, relation: Relation::Equal, value: value.clone() }).collect()
}

/// Records from the first statement of `function` (or from where the program
/// stands) to its end, a crash, or so many statements. `None` if it is not called.
fn record(model: &Model, mut executor: Interpreter, function: Option<FunctionId>, most: usize) -> Option<Trace> {
    let mut recorder = Recorder::new(model, &|_| false, &executor);
    if let Some(wanted) = function {
        while model.program.step(executor.position().step()?).function != wanted {
            recorder.step(&mut executor).expect("it runs");
        }
    }
    recorder.begin(&mut executor).expect("it can be read");
    let depth = executor.depth().expect("it can be read");
    for _ in 0..most {
        let Some(step) = executor.position().step() else { break };
        let facts = everything(&mut executor);
        recorder.demand(&mut executor, facts).expect("it can be read");
        let is_exit = model.program.step(step).kind == StepKind::Exit;
        if is_exit && executor.depth().expect("it can be read") == depth {
            break;
        }
        recorder.step(&mut executor).expect("it runs");
    }
    Some(recorder.finish())
}

/// What came of the runs of some programs.
#[derive(Default)]
struct Counts {
    runs: usize,
    states: usize,
    values: usize,
    /// What was asserted but cannot be asked of cells, such as texts.
    unasked: usize,
    /// Runs that the model did not follow to their ends, and the states behind.
    unmodelled: usize,
    unseen: usize,
    wrong: Vec<String>,
}

impl Counts {
    fn follow(&mut self, model: &Model, trace: Trace, name: &str) {
        self.runs += 1;
        let trace = Arc::new(trace);
        let total = trace.demands.len();
        let Ok(prepared) = Prepared::new(model, trace.clone(), &|_| false) else {
            (self.unmodelled, self.unseen) = (self.unmodelled + 1, self.unseen + total);
            return;
        };
        let verdict = prepared.follow(model, &[], LIMIT);
        let seen = match verdict {
            Verdict::Meets => total,
            Verdict::Unmodelled(demand) => {
                (self.unmodelled, self.unseen) = (self.unmodelled + 1, self.unseen + total - demand);
                demand
            }
            ref other => {
                self.wrong.push(format!("{name}: {}", describe(model, &trace, other)));
                0
            }
        };
        self.states += seen;
        self.values += prepared.checks[..seen].iter().map(Vec::len).sum::<usize>();
        let asserted: usize = trace.demands[..seen].iter().map(|demand| demand.facts.len()).sum();
        self.unasked += asserted - prepared.checks[..seen].iter().map(Vec::len).sum::<usize>();
    }

    fn report(&self, what: &str) {
        let Counts { runs, states, values, unasked, unmodelled, unseen, wrong } = self;
        println!(
            "{what}: {runs} runs, {states} states, {values} values compared, {unasked} values that are no cells, \
             {unmodelled} runs not followed to their ends ({unseen} states behind), {} disagree",
            wrong.len()
        );
        assert!(wrong.is_empty(), "the model disagrees with the interpreter:\n{}", wrong.join("\n"));
    }
}

fn describe(model: &Model, trace: &Trace, verdict: &Verdict) -> String {
    let demand = match verdict {
        Verdict::Differs { demand, .. } | Verdict::Fault(demand) | Verdict::Missed(demand) => *demand,
        other => return format!("{other:?}"),
    };
    let at = |demand: &encode::Demand| {
        let step = model.program.step(demand.at.step);
        format!("line {} `{}` ({})", step.line, model.program.source.text(step.span), demand.at.count)
    };
    let facts = match verdict {
        Verdict::Differs { facts, .. } => {
            facts.iter().take(5).map(|&fact| format!(" {};", trace.demands[demand].facts[fact])).collect()
        }
        _ => String::new(),
    };
    let before = demand.checked_sub(1).map_or("the start".into(), |before| at(&trace.demands[before]));
    format!("{verdict:?} at {} after {before}:{facts}", at(&trace.demands[demand]))
}

#[test]
fn the_functions_under_study_run_as_in_the_interpreter() {
    let (mut inside, mut whole) = (Counts::default(), Counts::default());
    for case in cases("small").into_iter().chain(cases("large")) {
        let model = Model::new(Arc::new(ir::load(&case.path).expect("it is C")));
        let function = case.function.as_deref().and_then(|name| model.program.function_named(name));
        assert!(function.is_some(), "{} has no function under study", case.name());
        for arguments in &case.inputs {
            let name = format!("{} [{}]", case.name(), arguments.join(" "));
            let start = || case.start(&model, arguments).expect("it starts");
            if let Some(trace) = record(&model, start(), function, 5000) {
                inside.follow(&model, trace, &name);
            }
            let from_main = record(&model, start(), None, 600).expect("it stands at a statement");
            whole.follow(&model, from_main, &format!("{name} from main"));
        }
    }
    inside.report("functions under study");
    whole.report("the same from main");
    assert_eq!(inside.unmodelled, 0, "the functions under study are modelled");
    assert!(inside.runs > 300 && inside.states > 10_000);
}

#[test]
fn what_is_modelled_of_c_runs_as_in_the_interpreter() {
    let mut counts = Counts::default();
    for case in cases("features") {
        let Ok(program) = ir::load(&case.path) else { continue };
        let model = Model::new(Arc::new(program));
        for arguments in &case.inputs {
            let Some(executor) = case.start(&model, arguments) else { continue };
            let trace = record(&model, executor, None, 300).expect("it stands at a statement");
            counts.follow(&model, trace, &format!("{} [{}]", case.name(), arguments.join(" ")));
        }
    }
    counts.report("features");
}

/// A program that has `make`.
fn with_make(text: &str) -> Model {
    let source = c_syntax::Source::new("inside.c", format!("{MAKE}{text}").into_bytes());
    Model::new(Arc::new(ir::load_text(Arc::new(source)).expect("it is C")))
}

/// Records from the first statement of `make` until the program ends.
fn record_from_make(model: &Model) -> Trace {
    let make = model.program.function_named("make").expect("it is there");
    let mut executor = Interpreter::start(model.program.clone(), &RunOptions::default()).expect("it starts");
    let mut recorder = Recorder::new(model, &|_| false, &executor);
    while executor.position().step().is_some_and(|step| model.program.step(step).function != make) {
        recorder.step(&mut executor).expect("it runs");
    }
    recorder.begin(&mut executor).expect("it can be read");
    while executor.position().step().is_some() {
        let facts = everything(&mut executor);
        recorder.demand(&mut executor, facts).expect("it can be read");
        recorder.step(&mut executor).expect("it runs");
    }
    recorder.finish()
}

fn follow(model: &Model, trace: Trace) -> Verdict {
    let prepared = Prepared::new(model, Arc::new(trace), &|_| false).expect("it is modelled");
    prepared.follow(model, &[], LIMIT)
}

fn follow_from_make(text: &str) -> Verdict {
    let model = with_make(text);
    follow(&model, record_from_make(&model))
}

/// What these programs begin with.
const MAKE: &str = "#include <stdlib.h>\nstruct node { int value; struct node *next; };\nstruct node *list;\n\
                    struct node *make(int value) {\n    struct node *fresh = malloc(sizeof(struct node));\n    \
                    fresh->value = value;\n    fresh->next = NULL;\n    return fresh;\n}\n\
                    void step(struct node **at) {\n    *at = (*at)->next;\n}\n";

#[test]
fn what_a_statement_computed_before_a_call_is_known_where_the_call_begins() {
    let global = "int main(void) {\n    struct node own = { 1, NULL };\n    list = &own;\n    list->next = make(2);\n    \
                  return list->next->value;\n}\n";
    assert_eq!(follow_from_make(global), Verdict::Meets);
    let decided = "int main(void) {\n    int values[2] = { 1, 2 };\n    int i = 1;\n    \
                   values[i] = i > 0 && make(values[i])->value > 1;\n    return values[1];\n}\n";
    assert_eq!(follow_from_make(decided), Verdict::Meets);
    // What has happened already is not done again.
    let counted = "int main(void) {\n    int values[2] = { 1, 2 };\n    int i = 0;\n    \
                   values[i++] = make(3)->value;\n    return i;\n}\n";
    assert!(matches!(follow_from_make(counted), Verdict::Unmodelled(_)));
}

#[test]
fn a_declaration_that_waits_for_a_call_has_its_variable() {
    let text = "int main(void) {\n    struct node *first = make(1);\n    first->next = make(2);\n    step(&first);\n    \
                return first->value;\n}\n";
    assert_eq!(follow_from_make(text), Verdict::Meets);
}

#[test]
fn what_could_not_be_computed_before_a_call_is_a_fault_after_it() {
    let text = |pointer: &str| {
        format!(
            "int main(void) {{\n    struct node own = {{ 1, NULL }}, *p, *q;\n    p = &own;\n    \
             {pointer}->next = make(2);\n    step(&p);\n    return p->value;\n}}\n"
        )
    };
    let (right, wrong) = (with_make(&text("p")), with_make(&text("q")));
    assert_eq!(follow(&right, record_from_make(&right)), Verdict::Meets);
    assert!(matches!(follow(&wrong, record_from_make(&right)), Verdict::Fault(_)));
}
