//! Pictures of memory states: boxes and arrows with stable places.
//!
//! [`draw`] turns a [`memory::State`] into a [`Picture`], which writes itself
//! as SVG, PNG, Graphviz or text for a terminal. Lists are rows, trees are
//! trees, arrays are strips; variables are names with arrows. A picture
//! answers with the [`Positions`] of its boxes; given to the next picture,
//! every box stays where it was.
//!
//! ```
//! use memory::{Frame, Node, NodeId, Object, Place, State, Value, Variable};
//! use picture::{Options, draw};
//!
//! let to = |id| {
//!     let place = Place { object: Object::Node(NodeId(id)), offset: 0, path: String::new(), inside: true };
//!     Value::Pointer(place)
//! };
//! let node = |id, data, next| Node {
//!     id: NodeId(id),
//!     type_name: "struct node".into(),
//!     size: 16,
//!     live: true,
//!     value: Value::Record(vec![("data".into(), Value::Int(data)), ("next".into(), next)]),
//! };
//! let head = Variable { name: "head".into(), type_name: "struct node *".into(), value: to(1) };
//! let state = State {
//!     frames: vec![Frame { function: "main".into(), variables: vec![head] }],
//!     nodes: vec![node(1, 5, to(2)), node(2, 7, Value::Null)],
//!     ..State::default()
//! };
//! let picture = draw(&state, &Options::default(), None);
//! let text = "\
//! head
//! ▼
//! ┌n1─────┐   ┌n2─────┐
//! │data: 5├──▶│data: 7├──▶ null
//! └───────┘   └───────┘
//! ";
//! assert_eq!(picture.to_terminal(80), text);
//! assert!(picture.to_svg().contains("data-node=\"n1\""));
//! ```
//!
//! This crate knows nothing of sessions, of C text or of how programs run.

mod areas;
mod cells;
mod dot;
mod drawing;
mod flags;
mod fold;
mod geometry;
mod graph;
mod layout;
mod lines;
mod options;
mod picture;
mod png;
mod reach;
mod roles;
mod route;
mod scene;
mod shape;
mod svg;
mod terminal;

pub use drawing::{
    Drawing, DrawnArrow, DrawnBox, DrawnCell, DrawnFlag, DrawnLine, DrawnRow, DrawnTable, DrawnValue, Label,
};
pub use geometry::{Point, Rect};
pub use layout::Positions;
pub use options::{Frames, Options};
pub use picture::{Picture, draw};
pub use png::PngError;
