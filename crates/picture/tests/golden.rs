//! Drawings of small states, as they should look.

mod fixtures;

use expect_test::{Expect, expect};
use memory::{Entity, NodeId, Root, State};
use picture::{Options, draw};

fn terminal(state: &State, expected: Expect) {
    expected.assert_eq(&draw(state, &Options::default(), None).to_terminal(80));
}

fn dot(state: &State, expected: Expect) {
    expected.assert_eq(&draw(state, &Options::default(), None).to_dot());
}

/// The document without its style sheet.
fn svg(state: &State, options: &Options, expected: Expect) {
    let svg = draw(state, options, None).to_svg();
    let (head, rest) = svg.split_once("<style>").expect("there is a style sheet");
    let (_, body) = rest.split_once("</style>\n").expect("the style sheet ends");
    expected.assert_eq(&format!("{head}{body}"));
}

fn entity(id: u32, path: &str) -> Entity {
    Entity { root: Root::Node(NodeId(id)), path: path.to_string() }
}

#[test]
fn singly_list_in_a_terminal() {
    terminal(
        &fixtures::singly_list(),
        expect![[r#"
        main()  n = 3

        head
        ▼
        ┌n1──────┐   ┌n2──────┐   ┌n3──────┐
        │data: 10├──▶│data: 20├──▶│data: 30├──▶ null
        └────────┘   └────────┘   └────────┘
    "#]],
    );
}

#[test]
fn narrow_terminals_break_lists() {
    expect![[r#"
        main()  n = 3

        head
        ▼
        ┌n1──────┐   ┌n2──────┐
        │data: 10├──▶│data: 20├──▶
        └────────┘   └────────┘


        ┌n3──────┐
        │data: 30├──▶ null
        └────────┘
    "#]]
    .assert_eq(&draw(&fixtures::singly_list(), &Options::default(), None).to_terminal(30));
}

#[test]
fn doubly_list_in_a_terminal() {
    terminal(
        &fixtures::doubly_list(),
        expect![[r#"
        first                                    last
        ▼                                        ▼
        ┌n1────────┐   ┌n2──────┐   ┌n3──────┐   ┌n4──────┐
        │data: 3   ├──▶│data: 1 ├──▶│data: 4 ├──▶│data: 1 ├──▶ null
        │prev: null│   │prev: n1│   │prev: n2│   │prev: n3│
        └──────────┘   └────────┘   └────────┘   └────────┘
    "#]],
    );
}

#[test]
fn circular_list_in_a_terminal() {
    terminal(
        &fixtures::circular_list(),
        expect![[r#"
        tail                    p
        ▼                       ▼
        ┌n4─────┐   ┌n1─────┐   ┌n2─────┐   ┌n3─────┐
        │data: 4├──▶│data: 1├──▶│data: 2├──▶│data: 3├──┐
        └───────┘   └───────┘   └───────┘   └───────┘  │
          ▲                                            │
          └────────────────────────────────────────────┘
    "#]],
    );
}

#[test]
fn search_tree_in_a_terminal() {
    terminal(
        &fixtures::search_tree(),
        expect![[r#"
        main()  key = 36

                             ┌n1─────┐◀ root
                             │key: 50│
                             └───┬───┘
                     ┌───────────┴────────────┐
                 ┌n2─────┐                ┌n3─────┐
                 │key: 30│                │key: 70│
                 └───┬───┘                └───┬───┘
            ┌────────┴────────┐               └───┐
        ┌n4─────┐         ┌n5─────┐◀ cur      ┌n6─────┐
        │key: 20│         │key: 40│           │key: 80│
        └───────┘         └───┬───┘           └───────┘
                       ┌──────┘
                   ┌n7─────┐
                   │key: 35│
                   └───────┘
    "#]],
    );
}

#[test]
fn mid_rotation_in_a_terminal() {
    terminal(
        &fixtures::rotation()[1],
        expect![[r#"
               ┌n1──────────┐◀ root, y
               │key: 40     │
               │h: 3        │
               │parent: null│
               └──────┬─────┘
              ┌───────┴────────┐
        ┌n4────────┐◀ t  ┌n5────────┐
        │key: 30   │     │key: 50   │
        │h: 1      │     │h: 1      │
        │parent: n1│     │parent: n1│
        └──────────┘     └──────────┘

                 ┌n2────────┐◀ x
                 │key: 20   │
                 │h: 2      │
                 │right: n4 │
                 │parent: n1│
                 └─────┬────┘
              ┌────────┘
        ┌n3────────┐
        │key: 10   │
        │h: 1      │
        │parent: n2│
        └──────────┘
    "#]],
    );
}

#[test]
fn array_in_a_terminal() {
    terminal(
        &fixtures::array(),
        expect![[r#"
        main()  i = 2   name = "wolverine"

                 p
                 ▼
          ┌0─┬1─┬2─┬3─┬4─┬5─┐
        a │5 │2 │9 │1 │7 │3 │
          └──┴──┴──┴──┴──┴──┘
    "#]],
    );
}

#[test]
fn hash_table_in_a_terminal() {
    terminal(
        &fixtures::hash_table(),
        expect![[r#"
        t
        ▼
        ┌n1─────────┐
        │size: 8    │
        │count: 4   │
        │buckets: n2│
        └───────────┘

        n2
          [0] null
                 ┌n3──────────┐   ┌n4────────┐
          [1] ──▶│key: "apple"├──▶│key: "fig"├──▶ null
                 │value: 3    │   │value: 12 │
                 └────────────┘   └──────────┘
          [2] null
          [3] null
                                  e
                                  ▼
                 ┌n5──────────┐   ┌n6─────────┐   ┌n8───────────────┐
          [4] ──▶│key: "lemon"├──▶│key: "pear"├──▶│key: "a<b>&\"c\""├──▶ null
                 │value: 5    │   │value: 1   │   │value: 0         │
                 └────────────┘   └───────────┘   └─────────────────┘
          [5] null
                 ┌n7─────────┐
          [6] ──▶│key: "plum"├──▶ null
                 │value: 0   │
                 └───────────┘
          [7] null
    "#]],
    );
}

#[test]
fn pointer_to_pointer_in_a_terminal() {
    terminal(
        &fixtures::pointer_to_pointer(),
        expect![[r#"
        list
        ▼
        ┌main:head─┐
        │n1        │
        └──────────┘

        link(.next)
        ▼
        ┌n1──────┐   ┌n2──────┐
        │data: 10├──▶│data: 20├──▶ null
        └────────┘   └────────┘
    "#]],
    );
}

#[test]
fn dangling_in_a_terminal() {
    terminal(
        &fixtures::dangling_pointers(),
        expect![[r#"
        main()  q = ?

        head                      old
        ▼                         ▼
        ┌n1──────┐   ┌n2──────┐   ┌n3───┐
        │data: 10├──▶│data: 20├──▶│freed│
        └────────┘   └────────┘   └─────┘

        local
        ▼
        ┌gone──────────┐
        │local variable│
        └──────────────┘
    "#]],
    );
}

#[test]
fn cyclic_garbage_in_a_terminal() {
    terminal(
        &fixtures::cyclic_garbage(),
        expect![[r#"
        head
        ▼
        ┌n1─────┐   ┌n2─────┐
        │data: 1├──▶│data: 2├──▶ null
        └───────┘   └───────┘

        unreachable:
        ┌n3─────┐   ┌n4─────┐   ┌n5─────┐
        │data: 3├──▶│data: 4├──▶│data: 5├──┐
        └───────┘   └───────┘   └───────┘  │
          ▲                                │
          └────────────────────────────────┘

        ┌n6─────┐
        │data: 6├──▶ n1
        └───────┘
    "#]],
    );
}

#[test]
fn changes_and_untracked_arrows_in_a_terminal() {
    let options = Options {
        changed: [entity(1, ".next"), entity(3, ".data")].into(),
        untracked: [entity(2, ".next")].into(),
        ..Options::default()
    };
    expect![[r#"
        main()  n = 3

        head
        ▼
        ┌n1──────┐   ┌n2──────┐   ┌n3───────┐
        │data: 10├─*▶│data: 20├┈┈▶│data: 30*├──▶ null
        └────────┘   └────────┘   └─────────┘
    "#]]
    .assert_eq(&draw(&fixtures::singly_list(), &options, None).to_terminal(80));
    let colored = draw(&fixtures::singly_list(), &Options { color: true, ..options }, None).to_terminal(80);
    assert!(colored.contains("\x1b[1;33m30*\x1b[0m"), "{colored:?}");
}

#[test]
fn many_nodes_are_counted() {
    let text = draw(&fixtures::long_list(1000), &Options::default(), None).to_terminal(80);
    assert!(text.ends_with("… 940 more nodes\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn list_as_svg() {
    let state = fixtures::main_state(
        &[("head", "struct node *", fixtures::to(1)), ("s", "char *", memory::Value::Text(b"<&>".to_vec()))],
        vec![fixtures::item(1, 5, 2), fixtures::item(2, 7, 0)],
    );
    let options = Options { changed: [entity(1, ".next")].into(), ..Options::default() };
    svg(
        &state,
        &options,
        expect![[r#"
        <svg xmlns="http://www.w3.org/2000/svg" width="460" height="112" viewBox="-172 -54 460 112" class="memory">
        <rect class="paper" x="-172" y="-54" width="460" height="112"/>
        <g class="table">
        <rect class="box" x="-154" y="-36" width="120" height="44" rx="3"/>
        <rect class="tab" x="-154" y="-36" width="120" height="20" rx="3"/>
        <text class="title" x="-146" y="-22">main()</text>
        <g class="row" data-entity="main:s">
        <rect class="cell" x="-152" y="-14" width="116" height="19"/>
        <text class="label" x="-146" y="0">s</text>
        <text class="value" x="-102" y="0">&quot;&lt;&amp;&gt;&quot;</text>
        </g>
        </g>
        <g class="node" data-node="n1">
        <title>n1: struct node</title>
        <rect class="box" x="0" y="0" width="110" height="40" rx="3"/>
        <rect class="tab" x="0" y="0" width="30" height="40" rx="3"/>
        <text class="title" x="15" y="24" text-anchor="middle">n1</text>
        <g class="slot" data-field="data">
        <rect class="cell" x="30" y="0" width="40" height="40"/>
        <text class="name" x="50" y="12" text-anchor="middle">data</text>
        <text class="value" x="50" y="30.5" text-anchor="middle">5</text>
        </g>
        <g class="slot changed" data-field="next">
        <rect class="cell" x="70" y="0" width="40" height="40"/>
        <text class="name" x="90" y="12" text-anchor="middle">next</text>
        <circle class="dot" cx="90" cy="26" r="3"/>
        </g>
        </g>
        <g class="node" data-node="n2">
        <title>n2: struct node</title>
        <rect class="box" x="160" y="0" width="110" height="40" rx="3"/>
        <rect class="tab" x="160" y="0" width="30" height="40" rx="3"/>
        <text class="title" x="175" y="24" text-anchor="middle">n2</text>
        <g class="slot" data-field="data">
        <rect class="cell" x="190" y="0" width="40" height="40"/>
        <text class="name" x="210" y="12" text-anchor="middle">data</text>
        <text class="value" x="210" y="30.5" text-anchor="middle">7</text>
        </g>
        <g class="slot" data-field="next">
        <rect class="cell" x="230" y="0" width="40" height="40"/>
        <text class="name" x="250" y="12" text-anchor="middle">next</text>
        <path class="ground" d="M250 20v6m-7 0h14m-11.5 3.5h9m-6.5 3.5h4"/>
        </g>
        </g>
        <g class="edge changed" data-from="n1.next" data-to="n2">
        <path class="line" d="M90 26L154 26"/>
        <path class="head" d="M160 26L151.8 22.3L151.8 29.7z"/>
        </g>
        <g class="flag edge" data-from="main:head" data-to="n1">
        <path class="line" d="M14 -18L14 -6"/>
        <path class="head" d="M14 0L17.7 -8.2L10.3 -8.2z"/>
        <rect class="pill" x="6" y="-36" width="43" height="18" rx="4"/>
        <text class="label" x="27.5" y="-23" text-anchor="middle">head</text>
        </g>
        </svg>
    "#]],
    );
}

#[test]
fn dangling_as_svg() {
    svg(
        &fixtures::dangling_pointers(),
        &Options::default(),
        expect![[r#"
        <svg xmlns="http://www.w3.org/2000/svg" width="580" height="206" viewBox="-152 -54 580 206" class="memory">
        <rect class="paper" x="-152" y="-54" width="580" height="206"/>
        <g class="table">
        <rect class="box" x="-134" y="-36" width="100" height="44" rx="3"/>
        <rect class="tab" x="-134" y="-36" width="100" height="20" rx="3"/>
        <text class="title" x="-126" y="-22">main()</text>
        <g class="row" data-entity="main:q">
        <rect class="cell" x="-132" y="-14" width="96" height="19"/>
        <text class="label" x="-126" y="0">q</text>
        <text class="value" x="-82" y="0">?</text>
        </g>
        </g>
        <g class="node" data-node="n1">
        <title>n1: struct node</title>
        <rect class="box" x="0" y="0" width="110" height="40" rx="3"/>
        <rect class="tab" x="0" y="0" width="30" height="40" rx="3"/>
        <text class="title" x="15" y="24" text-anchor="middle">n1</text>
        <g class="slot" data-field="data">
        <rect class="cell" x="30" y="0" width="40" height="40"/>
        <text class="name" x="50" y="12" text-anchor="middle">data</text>
        <text class="value" x="50" y="30.5" text-anchor="middle">10</text>
        </g>
        <g class="slot" data-field="next">
        <rect class="cell" x="70" y="0" width="40" height="40"/>
        <text class="name" x="90" y="12" text-anchor="middle">next</text>
        <circle class="dot" cx="90" cy="26" r="3"/>
        </g>
        </g>
        <g class="node" data-node="n2">
        <title>n2: struct node</title>
        <rect class="box" x="160" y="0" width="110" height="40" rx="3"/>
        <rect class="tab" x="160" y="0" width="30" height="40" rx="3"/>
        <text class="title" x="175" y="24" text-anchor="middle">n2</text>
        <g class="slot" data-field="data">
        <rect class="cell" x="190" y="0" width="40" height="40"/>
        <text class="name" x="210" y="12" text-anchor="middle">data</text>
        <text class="value" x="210" y="30.5" text-anchor="middle">20</text>
        </g>
        <g class="slot" data-field="next">
        <rect class="cell" x="230" y="0" width="40" height="40"/>
        <text class="name" x="250" y="12" text-anchor="middle">next</text>
        <circle class="dot" cx="250" cy="26" r="3"/>
        </g>
        </g>
        <g class="node gone" data-node="n3">
        <title>n3: struct node</title>
        <rect class="box" x="320" y="0" width="90" height="40" rx="3"/>
        <rect class="tab" x="320" y="0" width="30" height="40" rx="3"/>
        <text class="title" x="335" y="24" text-anchor="middle">n3</text>
        <g class="slot" data-field="">
        <rect class="cell" x="350" y="0" width="60" height="40"/>
        <text class="value" x="380" y="24.5" text-anchor="middle">freed</text>
        </g>
        <path class="cross" d="M320 0L410 40M320 40L410 0"/>
        </g>
        <g class="node gone" data-variable="gone">
        <rect class="box" x="0" y="104" width="180" height="30" rx="3"/>
        <rect class="tab" x="0" y="104" width="50" height="30" rx="3"/>
        <text class="title" x="25" y="123" text-anchor="middle">gone</text>
        <g class="slot" data-field="">
        <rect class="cell" x="50" y="104" width="130" height="30"/>
        <text class="value" x="115" y="123.5" text-anchor="middle">local variable</text>
        </g>
        <path class="cross" d="M0 104L180 134M0 134L180 104"/>
        </g>
        <g class="edge" data-from="n1.next" data-to="n2">
        <path class="line" d="M90 26L154 26"/>
        <path class="head" d="M160 26L151.8 22.3L151.8 29.7z"/>
        </g>
        <g class="edge dangling" data-from="n2.next" data-to="n3">
        <path class="line" d="M250 26L314 26"/>
        <path class="head" d="M320 26L311.8 22.3L311.8 29.7z"/>
        </g>
        <g class="flag edge" data-from="main:head" data-to="n1">
        <path class="line" d="M14 -18L14 -6"/>
        <path class="head" d="M14 0L17.7 -8.2L10.3 -8.2z"/>
        <rect class="pill" x="6" y="-36" width="43" height="18" rx="4"/>
        <text class="label" x="27.5" y="-23" text-anchor="middle">head</text>
        </g>
        <g class="flag edge dangling" data-from="main:old" data-to="n3">
        <path class="line" d="M334 -18L334 -6"/>
        <path class="head" d="M334 0L337.7 -8.2L330.3 -8.2z"/>
        <rect class="pill" x="326" y="-36" width="35.8" height="18" rx="4"/>
        <text class="label" x="343.9" y="-23" text-anchor="middle">old</text>
        </g>
        <g class="flag edge dangling" data-from="main:local" data-to="gone">
        <path class="line" d="M14 86L14 98"/>
        <path class="head" d="M14 104L17.7 95.8L10.3 95.8z"/>
        <rect class="pill" x="6" y="68" width="50.3" height="18" rx="4"/>
        <text class="label" x="31.1" y="81" text-anchor="middle">local</text>
        </g>
        </svg>
    "#]],
    );
}

#[test]
fn list_as_dot() {
    dot(
        &fixtures::singly_list(),
        expect![[r##"
        digraph memory {
          rankdir=LR;
          node [shape=plain, fontname="DejaVu Sans Mono", fontsize=11];
          b0 [label=<<TABLE COLOR="black" BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR><TD BGCOLOR="#e8ecf1"><B>n1</B></TD><TD PORT="c0">data: 10</TD><TD PORT="c1">next</TD></TR></TABLE>>, pos="41.2,-15.0!"];
          b1 [label=<<TABLE COLOR="black" BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR><TD BGCOLOR="#e8ecf1"><B>n2</B></TD><TD PORT="c0">data: 20</TD><TD PORT="c1">next</TD></TR></TABLE>>, pos="161.2,-15.0!"];
          b2 [label=<<TABLE COLOR="black" BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR><TD BGCOLOR="#e8ecf1"><B>n3</B></TD><TD PORT="c0">data: 30</TD><TD PORT="c1">next: null</TD></TR></TABLE>>, pos="281.2,-15.0!"];
          b0:c1 -> b1;
          b1:c1 -> b2;
          v0 [shape=plaintext, label="head", pos="20.6,20.2!"];
          v0 -> b0;
          t0 [shape=box, label="main()\nn = 3\l"];
        }
    "##]],
    );
}

#[test]
fn doubly_list_as_dot() {
    dot(
        &fixtures::doubly_list(),
        expect![[r##"
        digraph memory {
          rankdir=LR;
          node [shape=plain, fontname="DejaVu Sans Mono", fontsize=11];
          b0 [label=<<TABLE COLOR="black" BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR><TD BGCOLOR="#e8ecf1"><B>n1</B></TD><TD PORT="c0">data: 3</TD><TD PORT="c1">next</TD><TD PORT="c2">prev: null</TD></TR></TABLE>>, pos="56.2,-15.0!"];
          b1 [label=<<TABLE COLOR="black" BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR><TD BGCOLOR="#e8ecf1"><B>n2</B></TD><TD PORT="c0">data: 1</TD><TD PORT="c1">next</TD><TD PORT="c2">prev</TD></TR></TABLE>>, pos="206.2,-15.0!"];
          b2 [label=<<TABLE COLOR="black" BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR><TD BGCOLOR="#e8ecf1"><B>n3</B></TD><TD PORT="c0">data: 4</TD><TD PORT="c1">next</TD><TD PORT="c2">prev</TD></TR></TABLE>>, pos="356.2,-15.0!"];
          b3 [label=<<TABLE COLOR="black" BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR><TD BGCOLOR="#e8ecf1"><B>n4</B></TD><TD PORT="c0">data: 1</TD><TD PORT="c1">next: null</TD><TD PORT="c2">prev</TD></TR></TABLE>>, pos="506.2,-15.0!"];
          b0:c1 -> b1;
          b1:c1 -> b2;
          b1:c2 -> b0 [color=gray50, constraint=false];
          b2:c1 -> b3;
          b2:c2 -> b1 [color=gray50, constraint=false];
          b3:c2 -> b2 [color=gray50, constraint=false];
          v0 [shape=plaintext, label="first", pos="23.3,20.2!"];
          v0 -> b0;
          v1 [shape=plaintext, label="last", pos="470.6,20.2!"];
          v1 -> b3;
        }
    "##]],
    );
}

#[test]
fn dangling_as_dot() {
    dot(
        &fixtures::dangling_pointers(),
        expect![[r##"
        digraph memory {
          rankdir=LR;
          node [shape=plain, fontname="DejaVu Sans Mono", fontsize=11];
          b0 [label=<<TABLE COLOR="black" BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR><TD BGCOLOR="#e8ecf1"><B>n1</B></TD><TD PORT="c0">data: 10</TD><TD PORT="c1">next</TD></TR></TABLE>>, pos="41.2,-15.0!"];
          b1 [label=<<TABLE COLOR="black" BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR><TD BGCOLOR="#e8ecf1"><B>n2</B></TD><TD PORT="c0">data: 20</TD><TD PORT="c1">next</TD></TR></TABLE>>, pos="161.2,-15.0!"];
          b2 [label=<<TABLE COLOR="red" BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR><TD BGCOLOR="#e8ecf1"><B>n3</B></TD><TD PORT="c0">freed</TD></TR></TABLE>>, pos="273.8,-15.0!"];
          b3 [label=<<TABLE COLOR="red" BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR><TD BGCOLOR="#e8ecf1"><B>gone</B></TD><TD PORT="c0">local variable</TD></TR></TABLE>>, pos="67.5,-89.2!"];
          b0:c1 -> b1;
          b1:c1 -> b2 [color=red];
          v0 [shape=plaintext, label="head", pos="20.6,20.2!"];
          v0 -> b0;
          v1 [shape=plaintext, label="old", pos="257.9,20.2!"];
          v1 -> b2 [color=red];
          v2 [shape=plaintext, label="local", pos="23.3,-57.8!"];
          v2 -> b3 [color=red];
          t0 [shape=box, label="main()\nq = ?\l"];
        }
    "##]],
    );
}

#[test]
fn pointer_to_pointer_as_dot() {
    dot(
        &fixtures::pointer_to_pointer(),
        expect![[r##"
        digraph memory {
          rankdir=LR;
          node [shape=plain, fontname="DejaVu Sans Mono", fontsize=11];
          b0 [label=<<TABLE COLOR="black" BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR><TD BGCOLOR="#e8ecf1"><B>n1</B></TD><TD PORT="c0">data: 10</TD><TD PORT="c1">next</TD></TR></TABLE>>, pos="176.2,-15.0!"];
          b1 [label=<<TABLE COLOR="black" BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR><TD BGCOLOR="#e8ecf1"><B>n2</B></TD><TD PORT="c0">data: 20</TD><TD PORT="c1">next: null</TD></TR></TABLE>>, pos="296.2,-15.0!"];
          b2 [label=<<TABLE COLOR="black" BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR><TD BGCOLOR="#e8ecf1"><B>main:head</B></TD><TD PORT="c0"> </TD></TR></TABLE>>, pos="45.0,-15.0!"];
          b0:c1 -> b1;
          b2:c0 -> b0;
          v0 [shape=plaintext, label="list", pos="20.6,16.5!"];
          v0 -> b2;
          v1 [shape=plaintext, label="link", pos="212.6,20.2!"];
          v1 -> b0:c1;
        }
    "##]],
    );
}
