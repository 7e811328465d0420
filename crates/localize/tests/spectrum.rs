//! The spectrum-based localizers on the example of the Tarantula paper, worked
//! by hand, and what holds of them on any table.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use expect_test::{Expect, expect};
use ir::StepId;
use localize::spectrum::control::guards;
use localize::spectrum::rank;
use localize::{Method, Scored, Spectrum, Test};
use support::model_of;

/// The median of three numbers (Jones and Harrold, figure 1); line 7 is wrong, `m = x` would be right.
///
/// ```text
///  1  read(x, y, z);
///  2  m = z;
///  3  if (y < z)
///  4      if (x < y)
///  5          m = y;
///  6      else if (x < z)
///  7          m = y;
///  8  else
///  9      if (x > y)
/// 10          m = y;
/// 11      else if (x > z)
/// 12          m = x;
/// 13  print(m);
/// ```
///
/// The tests are (3, 3, 5), (1, 2, 3), (3, 2, 1), (5, 5, 5), (5, 3, 4) and (2, 1, 3), which fails.
fn mid() -> Spectrum {
    let guard = |step: u32, at: u32, outcome: bool| (StepId(step), BTreeSet::from([(StepId(at), outcome)]));
    Spectrum {
        tests: vec![
            test(false, &[4, 6, 7], &[(3, true), (4, false), (6, true)]),
            test(false, &[4, 5], &[(3, true), (4, true)]),
            test(false, &[8, 9, 10], &[(3, false), (9, true)]),
            test(false, &[8, 9, 11], &[(3, false), (9, false), (11, false)]),
            test(false, &[4, 6], &[(3, true), (4, false), (6, false)]),
            test(true, &[4, 6, 7], &[(3, true), (4, false), (6, true)]),
        ],
        steps: (1..=13).map(StepId).collect(),
        guards: BTreeMap::from([
            guard(4, 3, true),
            guard(5, 4, true),
            guard(6, 4, false),
            guard(7, 6, true),
            guard(8, 3, false),
            guard(9, 3, false),
            guard(10, 9, true),
            guard(11, 9, false),
            guard(12, 11, true),
        ]),
    }
}

/// A test of `mid` that comes to these lines besides those that all come to.
fn test(failed: bool, lines: &[u32], outcomes: &[(u32, bool)]) -> Test {
    let covered = lines.iter().chain(&[1, 2, 3, 13]).map(|&line| (StepId(line), 1)).collect();
    let branches = outcomes.iter().map(|&(line, yes)| (StepId(line), (u32::from(yes), u32::from(!yes)))).collect();
    Test { failed, covered, branches }
}

fn check(method: Method, wanted: Expect) {
    let found = rank(method, &mid());
    let lines: Vec<String> = found
        .chunk_by(|a, b| a.rank == b.rank)
        .map(|tied| {
            let lines: Vec<String> = tied.iter().map(|scored| scored.step.0.to_string()).collect();
            format!("{} {:.3}: {}\n", tied[0].rank, tied[0].score, lines.join(" "))
        })
        .collect();
    wanted.assert_eq(&lines.concat());
}

#[test]
fn tarantula_on_mid() {
    // The numbers of figure 1 in the paper: 0.83, 0.71, 0.63, 0.5 and 0.
    check(
        Method::Tarantula,
        expect![[r#"
            1 0.833: 7
            2 0.714: 6
            3 0.625: 4
            5.5 0.500: 1 2 3 13
            10.5 0.000: 5 8 9 10 11 12
        "#]],
    );
}

#[test]
fn ochiai_on_mid() {
    // 1 / √2, 1 / √3, 1 / √4, 1 / √6.
    check(
        Method::Ochiai,
        expect![[r#"
            1 0.707: 7
            2 0.577: 6
            3 0.500: 4
            5.5 0.408: 1 2 3 13
            10.5 0.000: 5 8 9 10 11 12
        "#]],
    );
}

#[test]
fn dstar_on_mid() {
    // 1 / 1, 1 / 2, 1 / 3, 1 / 5.
    check(
        Method::DStar,
        expect![[r#"
            1 1.000: 7
            2 0.500: 6
            3 0.333: 4
            5.5 0.200: 1 2 3 13
            10.5 0.000: 5 8 9 10 11 12
        "#]],
    );
}

#[test]
fn liblit_on_mid() {
    // `x < z` true: Failure 1/2, Context 1/3, Increase 1/6, Importance 2 / (6 + 1); line 7 depends on it.
    // `y < z` true: 1/4 − 1/6 = 1/12, so 2 / 13. `x < y` false: 1/3 − 1/4 = 1/12, too.
    check(
        Method::Liblit,
        expect![[r#"
            1.5 0.286: 6 7
            3.5 0.154: 3 4
            9 0.000: 1 2 5 8 9 10 11 12 13
        "#]],
    );
}

#[test]
fn sober_on_mid() {
    // `x < z`: biases of passing runs 1 ½ ½ ½ 0, so μ = ½ and σ² = 1/8; 1 where it fails, so z² / 2 = 1.
    // `y < z`: 1 1 0 0 1, μ = 0.6, σ² = 0.3, z² / 2 = 0.267, which also holds for lines 4, 8 and 9.
    // `x < y`: 0 1 ½ ½ 0, μ = 0.4, σ² = 0.175, z² / 2 = 0.457, for line 5.
    // `x > y`: μ = ½ and ½ where it fails; σ² = 1/8. `x > z`: μ = 0.4, σ² = 0.05, z² / 2 = 0.1.
    check(
        Method::Sober,
        expect![[r#"
            1.5 0.879: 6 7
            4.5 0.584: 3 4 8 9
            7 0.505: 5
            8.5 -0.121: 10 11
            10 -0.479: 12
            12 -inf: 1 2 13
        "#]],
    );
}

/// Numbers that are random enough.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// Any table of a few tests and statements, the odd ones of which are conditions.
fn random(random: &mut Random) -> Spectrum {
    let steps: Vec<StepId> = (0..2 + random.below(12) as u32).map(StepId).collect();
    let mut guards: BTreeMap<StepId, BTreeSet<(StepId, bool)>> = BTreeMap::new();
    for step in steps.iter().skip(2) {
        guards.entry(*step).or_default().insert((StepId(step.0 / 4 * 2 + 1), random.below(2) == 0));
    }
    let one = |random: &mut Random| Test {
        failed: random.below(3) == 0,
        covered: steps.iter().map(|step| (*step, random.below(3) as u32)).collect(),
        branches: (steps.iter().filter(|step| step.0 % 2 == 1))
            .map(|step| (*step, (random.below(4) as u32, random.below(4) as u32)))
            .collect(),
    };
    let tests = (0..random.below(9)).map(|_| one(random)).collect();
    Spectrum { tests, steps, guards }
}

fn tables() -> impl Iterator<Item = Spectrum> {
    let mut numbers = Random(7);
    (0..500).map(move |_| random(&mut numbers))
}

#[test]
fn every_statement_is_ranked_once_and_ranks_add_up() {
    for (spectrum, method) in tables().flat_map(|spectrum| Method::ALL.map(|method| (spectrum.clone(), method))) {
        let found = rank(method, &spectrum);
        let steps: BTreeSet<StepId> = found.iter().map(|scored| scored.step).collect();
        assert_eq!((found.len(), steps.len()), (spectrum.steps.len(), spectrum.steps.len()));
        let count = found.len() as f64;
        let sum: f64 = found.iter().map(|scored| scored.rank).sum();
        assert!((sum - count * (count + 1.0) / 2.0).abs() < 1e-9, "{method:?}: the ranks add up to {sum}");
        let in_order = |pair: &[Scored]| {
            (pair[0].score > pair[1].score && pair[0].rank < pair[1].rank)
                || (pair[0].score == pair[1].score && pair[0].rank == pair[1].rank)
        };
        assert!(found.windows(2).all(in_order), "{method:?}: {found:?}");
    }
}

#[test]
fn scores_are_in_range() {
    for spectrum in tables() {
        for (method, most) in [
            (Method::Tarantula, 1.0),
            (Method::Ochiai, 1.0 + 1e-9),
            (Method::DStar, f64::INFINITY),
            (Method::Liblit, 1.0),
        ] {
            let found = rank(method, &spectrum);
            assert!(found.iter().all(|scored| (0.0..=most).contains(&scored.score)), "{method:?}: {found:?}");
        }
        assert!(rank(Method::Sober, &spectrum).iter().all(|scored| !scored.score.is_nan()));
    }
}

#[test]
fn counting_every_test_twice_changes_no_rank_of_coverage_based_methods() {
    for mut spectrum in tables() {
        let ranks = |spectrum: &Spectrum, method| -> BTreeMap<StepId, String> {
            rank(method, spectrum).iter().map(|scored| (scored.step, scored.rank.to_string())).collect()
        };
        let methods = [Method::Tarantula, Method::Ochiai, Method::DStar];
        let before = methods.map(|method| ranks(&spectrum, method));
        spectrum.tests.extend(spectrum.tests.clone());
        assert_eq!(before, methods.map(|method| ranks(&spectrum, method)));
    }
}

#[test]
fn the_order_of_tests_and_passing_through_more_often_do_not_matter_to_coverage() {
    for mut spectrum in tables() {
        let methods = [Method::Tarantula, Method::Ochiai, Method::DStar];
        let before = methods.map(|method| rank(method, &spectrum));
        spectrum.tests.reverse();
        let times = spectrum.tests.iter_mut().flat_map(|test| test.covered.values_mut());
        times.for_each(|times| *times *= 5);
        assert_eq!(before, methods.map(|method| rank(method, &spectrum)));
    }
}

#[test]
fn without_a_failing_test_nothing_is_suspicious() {
    for mut spectrum in tables() {
        spectrum.tests.iter_mut().for_each(|test| test.failed = false);
        for method in Method::ALL {
            let found = rank(method, &spectrum);
            assert!(found.iter().all(|scored| scored.rank == found[0].rank), "{method:?}: {found:?}");
        }
    }
}

#[test]
fn control_dependence() {
    let text = "struct node { int value; struct node *next; };
struct node *find(struct node *p, int v) {
    int n = 0;
    while (p) {
        if (p->value == v)
            return p;
        p = p->next;
    }
    n = n + 1;
    return 0;
}
int main(void) { return find(0, 1) == 0; }
";
    let model = model_of("control", text);
    let program = &model.program;
    let mut lines = Vec::new();
    for (step, outcomes) in guards(program) {
        let on = outcomes.iter().map(|(at, outcome)| format!("{} {outcome}", program.step(*at).line));
        lines.push(format!("line {} if line {}", program.step(step).line, on.collect::<Vec<_>>().join(", ")));
    }
    // The loop comes round only if the value is another one.
    expect![[r#"
        line 4 if line 5 false
        line 5 if line 4 true
        line 6 if line 5 true
        line 7 if line 5 false
        line 9 if line 4 false
        line 10 if line 4 false"#]]
    .assert_eq(&lines.join("\n"));
}
