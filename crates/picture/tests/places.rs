//! Boxes stay where they are, do not overlap, and stand as in a textbook.

mod fixtures;

use std::collections::HashMap;

use fixtures::{double, item, leaf, link, main_state, node, record, to};
use memory::{NodeId, Object, State};
use picture::{Options, Picture, Rect, draw};

fn boxes(picture: &Picture) -> HashMap<Object, Rect> {
    picture.boxes().map(|(object, rect)| (object.clone(), rect)).collect()
}

fn at(picture: &Picture, id: u32) -> Rect {
    boxes(picture)[&Object::Node(NodeId(id))]
}

fn fresh(state: &State) -> Picture {
    draw(state, &Options::default(), None)
}

/// The pictures of `states` one after the other.
fn sequence(states: &[State]) -> Vec<Picture> {
    let mut pictures: Vec<Picture> = Vec::new();
    for state in states {
        let picture = draw(state, &Options::default(), pictures.last().map(Picture::positions));
        pictures.push(picture);
    }
    pictures
}

/// The farthest that any node moves from one picture to the next.
fn movement(pictures: &[Picture]) -> f64 {
    let pairs = pictures.windows(2).flat_map(|pair| {
        let (old, new) = (boxes(&pair[0]), boxes(&pair[1]));
        let moved = |(object, rect): (&Object, &Rect)| {
            new.get(object).map(|now| (now.x - rect.x).hypot(now.y - rect.y)).unwrap_or(0.0)
        };
        old.iter().map(moved).collect::<Vec<_>>()
    });
    pairs.fold(0.0, f64::max)
}

#[test]
fn nothing_moves_while_a_list_is_reversed() {
    assert_eq!(movement(&sequence(&fixtures::reversal())), 0.0);
}

#[test]
fn nothing_moves_while_a_tree_is_rotated() {
    assert_eq!(movement(&sequence(&fixtures::rotation())), 0.0);
}

#[test]
fn the_frame_of_the_picture_does_not_shrink() {
    let sizes: Vec<f64> = sequence(&fixtures::appending()).iter().skip(1).map(|picture| picture.size().1).collect();
    assert!(sizes.windows(2).all(|pair| pair[1] >= pair[0]), "{sizes:?}");
}

#[test]
fn a_list_that_grows_is_one_row() {
    let pictures = sequence(&fixtures::appending());
    let last = &pictures[pictures.len() - 1];
    let row: Vec<f64> = [4, 1, 2, 3].map(|id| at(last, id).x).to_vec();
    assert!(row.windows(2).all(|pair| pair[0] < pair[1]), "{row:?}");
    assert!([1, 2, 3].iter().all(|&id| at(last, id).y == at(last, 4).y));
}

#[test]
fn a_tree_that_grows_is_a_tree() {
    let pictures = sequence(&fixtures::inserting());
    let last = &pictures[pictures.len() - 1];
    for (parent, left, right) in [(1, 2, 3), (2, 4, 5), (3, 6, 7)] {
        let [parent, left, right] = [parent, left, right].map(|id| at(last, id));
        assert!(left.center().x < parent.center().x && parent.center().x < right.center().x);
        assert!(left.y >= parent.bottom() && left.y == right.y);
    }
}

#[test]
fn an_only_child_stands_on_its_side() {
    let picture = fresh(&fixtures::search_tree());
    assert!(at(&picture, 6).center().x > at(&picture, 3).center().x);
    assert!(at(&picture, 7).center().x < at(&picture, 5).center().x);
}

/// `left` and `right` that undo each other are a list, whatever their names.
#[test]
fn a_doubly_linked_list_is_no_tree() {
    let linked =
        |id: u32, left: u32, right: u32| node(id, "T", record(&[("left", link(left)), ("right", link(right))]));
    let state = main_state(&[("p", "T *", to(1))], vec![linked(1, 0, 2), linked(2, 1, 3), linked(3, 2, 0)]);
    let picture = fresh(&state);
    assert!([2, 3].iter().all(|&id| at(&picture, id).y == at(&picture, 1).y));
    assert!(at(&picture, 1).x < at(&picture, 2).x && at(&picture, 2).x < at(&picture, 3).x);
}

/// Two pointers that lead to different nodes are a tree, whatever their names.
#[test]
fn a_tree_is_a_tree_whatever_its_names() {
    let linked = |id: u32, a: u32, b: u32| node(id, "T", record(&[("zero", link(a)), ("one", link(b))]));
    let picture = fresh(&main_state(&[("p", "T *", to(1))], vec![linked(1, 2, 3), linked(2, 0, 0), linked(3, 0, 0)]));
    assert!(at(&picture, 2).y > at(&picture, 1).bottom() && at(&picture, 2).y == at(&picture, 3).y);
}

#[test]
fn a_broken_doubly_linked_list_stays_a_list() {
    let whole = main_state(&[("p", "T *", to(1))], vec![double(1, 1, 2, 0), double(2, 2, 3, 1), double(3, 3, 0, 2)]);
    let broken = main_state(&[("p", "T *", to(1))], vec![double(1, 1, 2, 3), double(2, 2, 3, 0), double(3, 3, 0, 0)]);
    assert_eq!(movement(&sequence(&[whole, broken])), 0.0);
}

#[test]
fn a_dragged_box_stays_where_it_was_put() {
    let state = fixtures::singly_list();
    let mut positions = fresh(&state).positions().clone();
    positions.set(Object::Node(NodeId(2)), 40.0, 300.0);
    let moved = at(&draw(&state, &Options::default(), Some(&positions)), 2);
    assert_eq!((moved.x, moved.y), (40.0, 300.0));
}

#[test]
fn a_node_that_comes_back_stands_where_it_stood() {
    let with = main_state(&[("p", "T *", to(1))], vec![item(1, 1, 2), item(2, 2, 0)]);
    let without = main_state(&[("p", "T *", to(1))], vec![item(1, 1, 0)]);
    let pictures = sequence(&[with.clone(), without, with]);
    assert_eq!(at(&pictures[0], 2), at(&pictures[2], 2));
}

#[test]
fn odd_states_are_drawn() {
    let deep = (1..=5000).map(|id| leaf(id, 0, 0, if id < 5000 { id + 1 } else { 0 })).collect();
    let states = [State::default(), main_state(&[("p", "T *", to(77))], vec![]), main_state(&[], deep)];
    for state in states {
        let picture = fresh(&state);
        assert!(picture.to_svg().ends_with("</svg>\n"));
        let _ = (picture.to_dot(), picture.to_terminal(0), picture.to_terminal(1000));
    }
}

#[test]
fn png_has_the_size_of_the_picture() {
    let picture = fresh(&fixtures::singly_list());
    match picture.to_png(2.0) {
        Ok(png) => assert_eq!(
            f64::from(u32::from_be_bytes([png[16], png[17], png[18], png[19]])),
            (picture.size().0 * 2.0).ceil()
        ),
        Err(error) => assert!(error.to_string().contains("font"), "{error}"),
    }
}
