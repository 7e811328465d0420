//! Any state can be drawn: no panic, no boxes on top of each other, nothing moves without need.

use std::collections::HashMap;

use memory::{Frame, Node, NodeId, Object, Place, State, Value, Variable};
use picture::{Frames, Options, Rect, draw};
use proptest::prelude::*;

const NODES: u32 = 12;

fn objects() -> impl Strategy<Value = Object> {
    prop_oneof![
        8 => (1..NODES + 3).prop_map(|id| Object::Node(NodeId(id))),
        1 => "[ab]".prop_map(|name| Object::Global(name.into())),
        2 => (prop::option::of(0..3usize), "[fg]", "[xyz]").prop_map(|(frame, function, name)| Object::Local {
            frame,
            function: function.into(),
            name: name.into()
        }),
        1 => Just(Object::Arguments),
        1 => Just(Object::Gone),
    ]
}

fn places() -> impl Strategy<Value = Place> {
    let paths = prop_oneof![4 => Just(""), 1 => Just(".a"), 1 => Just("[2]"), 1 => Just("[1].b"), 1 => Just("+5"), 1 => Just("[")];
    (objects(), -8i64..80, paths, any::<bool>()).prop_map(|(object, offset, path, inside)| Place {
        object,
        offset,
        path: path.to_string(),
        inside,
    })
}

fn pointers() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => places().prop_map(Value::Pointer),
        2 => Just(Value::Null),
        1 => places().prop_map(Value::Dangling),
        1 => Just(Value::Uninitialised),
    ]
}

fn values() -> impl Strategy<Value = Value> {
    let simple = prop_oneof![
        pointers(),
        any::<i64>().prop_map(|n| Value::Int(n.into())),
        any::<f64>().prop_map(Value::Float),
        any::<Vec<u8>>().prop_map(Value::Text),
        prop::collection::vec(any::<Option<u8>>(), 0..40).prop_map(Value::Chars),
        Just(Value::Unknown),
        Just(Value::Outside),
        any::<u64>().prop_map(Value::Address),
        "\\PC{0,9}".prop_map(|name| Value::Function(name.into())),
    ];
    simple.prop_recursive(3, 40, 12, |inner| {
        prop_oneof![
            prop::collection::vec(("[a-e]?", inner.clone()), 0..9)
                .prop_map(|m| Value::Record(m.into_iter().map(|(n, v)| (n.into(), v)).collect())),
            (prop::collection::vec(inner, 0..24), 0..3u64).prop_map(|(elements, more)| Value::Array(elements, more)),
        ]
    })
}

/// Mostly list and tree nodes, so that there is structure to lay out.
fn contents() -> impl Strategy<Value = (&'static str, Value)> {
    let record = |names: &'static [&'static str]| {
        prop::collection::vec(pointers(), names.len()).prop_map(move |values| {
            let members = names.iter().zip(values).map(|(name, value)| ((*name).into(), value));
            Value::Record([("data".into(), Value::Int(1))].into_iter().chain(members).collect())
        })
    };
    prop_oneof![
        4 => record(&["next"]).prop_map(|value| ("list", value)),
        3 => record(&["left", "right", "parent"]).prop_map(|value| ("tree", value)),
        2 => record(&["a", "b"]).prop_map(|value| ("other", value)),
        2 => values().prop_map(|value| ("", value)),
    ]
}

fn variables() -> impl Strategy<Value = Vec<Variable>> {
    let variable = ("[xyzw]", prop_oneof![3 => pointers(), 1 => values()]).prop_map(|(name, value)| Variable {
        name: name.into(),
        type_name: "T".into(),
        value,
    });
    prop::collection::vec(variable, 0..4)
}

fn states() -> impl Strategy<Value = State> {
    let node = (any::<bool>(), any::<bool>(), contents());
    let frames = prop::collection::vec(("[fg]", variables()), 0..3);
    (variables(), frames, prop::collection::vec(node, 0..NODES as usize)).prop_map(|(globals, frames, nodes)| State {
        globals,
        frames: frames.into_iter().map(|(f, variables)| Frame { function: f.into(), variables }).collect(),
        nodes: nodes
            .into_iter()
            .enumerate()
            .map(|(i, (dead, gone, (type_name, value)))| Node {
                id: NodeId(i as u32 + 1),
                type_name: type_name.into(),
                size: 16,
                live: !(dead && gone),
                value,
            })
            .collect(),
    })
}

fn assert_apart(boxes: &HashMap<Object, Rect>) -> Result<(), TestCaseError> {
    let all: Vec<(&Object, &Rect)> = boxes.iter().collect();
    for (i, (a, first)) in all.iter().enumerate() {
        for (b, second) in &all[i + 1..] {
            prop_assert!(!first.overlaps(second), "{a} at {first:?} overlaps {b} at {second:?}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_state_can_be_drawn(first in states(), second in states(), all in any::<bool>()) {
        let frames = if all { Frames::All } else { Frames::Innermost };
        let changed = memory::changes(&first, &second).into_iter().map(|change| change.entity).collect();
        let before = draw(&first, &Options { frames: frames.clone(), ..Options::default() }, None);
        let after = draw(&second, &Options { frames, changed, ..Options::default() }, Some(before.positions()));
        let old: HashMap<Object, Rect> = before.boxes().map(|(object, rect)| (object.clone(), rect)).collect();
        let new: HashMap<Object, Rect> = after.boxes().map(|(object, rect)| (object.clone(), rect)).collect();
        assert_apart(&old)?;
        assert_apart(&new)?;
        for (object, rect) in &old {
            let Some(now) = new.get(object) else { continue };
            let grew = now.w > rect.w || now.h > rect.h;
            if before.positions().is_settled(object) && !grew {
                prop_assert_eq!((now.x, now.y), (rect.x, rect.y), "{} moved", object);
            }
        }
        for picture in [before, after] {
            let svg = picture.to_svg();
            prop_assert!(svg.matches("<g").count() == svg.matches("</g>").count());
            prop_assert!(!picture.to_dot().is_empty());
            let text = picture.to_terminal(60);
            prop_assert!(text.lines().all(|line| line.chars().count() <= 60));
        }
    }
}
