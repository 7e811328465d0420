//! Long lists fold in the middle, and pictures as data say what the others show.

mod fixtures;

use std::collections::BTreeSet;

use fixtures::{double, item, link, main_state, node};
use memory::{NodeId, Object, State};
use picture::{Drawing, DrawnValue, Options, Picture, draw};

const LIST: &str = "struct node *";

fn folding() -> Options {
    Options { unfolded: Some(BTreeSet::new()), ..Options::default() }
}

/// A list of `count` nodes with a variable at its first and at its `walk`th node.
fn list(count: u32, walk: u32) -> State {
    let nodes = (1..=count).map(|id| item(id, id.into(), if id == count { 0 } else { id + 1 })).collect();
    main_state(&[("head", LIST, link(1)), ("walk", LIST, link(walk))], nodes)
}

fn shown(picture: &Picture) -> Vec<(String, usize)> {
    picture.drawing().boxes.into_iter().map(|drawn| (drawn.name, drawn.folded)).collect()
}

#[test]
fn a_long_list_is_folded_and_a_short_one_is_not() {
    let short = draw(&list(20, 1), &folding(), None);
    assert_eq!(shown(&short).len(), 20);
    let long = draw(&list(100, 1), &folding(), None);
    let names = [("n1", 0), ("n2", 0), ("n3", 0), ("n4", 0), ("n5", 94), ("n99", 0), ("n100", 0)];
    assert_eq!(shown(&long), names.map(|(name, folded)| (name.to_string(), folded)));
    assert_eq!(shown(&draw(&list(100, 1), &Options::default(), None)).len(), 100);
    // The arrows lead to the fold and on from it.
    let arrows: Vec<_> = long.drawing().arrows.into_iter().map(|arrow| (arrow.key, arrow.to)).collect();
    assert!(arrows.contains(&("n4.next".into(), "n5".into())), "{arrows:?}");
    assert!(arrows.contains(&("n5".into(), "n99".into())), "{arrows:?}");
}

#[test]
fn what_a_variable_points_to_is_never_hidden() {
    for walk in 1..=100 {
        let picture = draw(&list(100, walk), &folding(), None);
        let boxes = shown(&picture);
        assert!(boxes.contains(&(format!("n{walk}"), 0)), "{walk}");
        let hidden: usize = boxes.iter().map(|(_, folded)| folded).sum();
        let visible = boxes.iter().filter(|(_, folded)| *folded == 0).count();
        assert_eq!(hidden + visible, 100, "every node is shown or counted");
    }
}

#[test]
fn a_fold_does_not_overlap_what_is_shown_while_a_variable_walks() {
    let mut before = None;
    for walk in 1..=100 {
        let picture = draw(&list(100, walk), &folding(), before.as_ref());
        let boxes: Vec<_> = picture.boxes().map(|(_, rect)| rect).collect();
        for (number, rect) in boxes.iter().enumerate() {
            assert!(boxes[..number].iter().all(|other| !other.overlaps(rect)), "{walk}");
        }
        let first = picture.positions().get(&Object::Node(NodeId(1))).expect("it is shown");
        assert_eq!((first.x, first.y), (0.0, 0.0), "the first node stays");
        before = Some(picture.positions().clone());
    }
}

#[test]
fn nothing_moves_while_the_fold_stays() {
    let picture = draw(&list(100, 2), &folding(), None);
    let next = draw(&list(100, 3), &folding(), Some(picture.positions()));
    let places = |picture: &Picture| picture.boxes().map(|(object, rect)| (object.clone(), rect)).collect::<Vec<_>>();
    assert_eq!(places(&picture), places(&next));
}

#[test]
fn an_unfolded_list_is_shown_whole_and_folds_again() {
    let state = list(60, 1);
    let folded = draw(&state, &folding(), None);
    let node = Object::Node(NodeId(30));
    let options = Options { unfolded: Some(BTreeSet::from([node])), ..Options::default() };
    let whole = draw(&state, &options, Some(folded.positions()));
    assert_eq!(shown(&whole).len(), 60);
    let again = draw(&state, &folding(), Some(whole.positions()));
    assert_eq!(shown(&again), shown(&folded));
}

#[test]
fn arrows_back_lead_over_a_fold_too() {
    let nodes = (1..=40).map(|id| double(id, id.into(), if id == 40 { 0 } else { id + 1 }, id - 1)).collect();
    let drawing = draw(&main_state(&[("head", LIST, link(1))], nodes), &folding(), None).drawing();
    let arrow = |key: &str| drawing.arrows.iter().find(|arrow| arrow.key == key).map(|arrow| arrow.to.as_str());
    assert_eq!((arrow("n5"), arrow("n5 back")), (Some("n39"), Some("n4")));
    assert_eq!(arrow("n39.prev"), Some("n5"));
}

#[test]
fn a_drawing_names_values_as_a_user_does() {
    let nodes = vec![item(1, 7, 2), item(2, 8, 0), node(3, "int [2]", fixtures::ints(&[4, 5]))];
    let state = main_state(&[("head", LIST, link(1)), ("a", "int *", link(3)), ("n", "int", fixtures::int(3))], nodes);
    let drawing: Drawing = draw(&state, &Options::default(), None).drawing();
    let first = &drawing.boxes[0];
    assert_eq!((first.name.as_str(), first.target.as_deref()), ("n1", Some("n1")));
    let cell = |entity: &str| drawing.boxes.iter().flat_map(|drawn| &drawn.cells).find(|cell| cell.entity == entity);
    assert_eq!(cell("n1.data").map(|cell| &cell.value), Some(&DrawnValue::Text("7".into())));
    assert_eq!(cell("n1.next").map(|cell| &cell.value), Some(&DrawnValue::Pointer));
    assert_eq!(cell("n2.next").map(|cell| &cell.value), Some(&DrawnValue::Null));
    assert_eq!(cell("n3[1]").and_then(|cell| cell.target.as_deref()), Some("&n3[1]"));
    assert_eq!(
        drawing.flags.iter().map(|flag| (flag.entity.as_str(), flag.to.as_str())).collect::<Vec<_>>(),
        [("head", "n1"), ("a", "n3")]
    );
    assert_eq!(drawing.tables[0].rows[0].entity, "n");
}
