//! Expressions over the states of real programs.

mod arithmetic;
mod known;
mod moment;
mod places;
mod refusals;
mod text;
mod values;
