//! A script after reading: a list of commands, whose groups and branches are jumps.

use std::rc::Rc;

use crate::text::pattern::Pattern;

/// A command with the lines it is for.
pub(super) struct Command {
    pub from: Option<Address>,
    pub to: Option<Address>,
    /// Whether the command is for the other lines.
    pub negated: bool,
    pub action: Action,
}

pub(super) enum Address {
    Line(usize),
    Last,
    /// The lines that match; without a pattern, that of the last search.
    Match(Option<Rc<Pattern>>),
}

/// Where an open range ends.
#[derive(Clone, Copy)]
pub(super) enum RangeEnd {
    Line(usize),
    Match,
}

pub(super) enum Action {
    /// Goes on with another command; without one, at the end of the script.
    Branch(Option<usize>),
    Delete,
    End,
    /// A group: other lines go on with the command behind it.
    Group(usize),
    Label,
    Next,
    NextAppend,
    Print,
    Quit,
    Substitute(Substitution),
    /// Branches after a substitution.
    Test(Option<usize>),
}

pub(super) struct Substitution {
    /// Without a pattern, that of the last search.
    pub pattern: Option<Rc<Pattern>>,
    pub replacement: Vec<Piece>,
    /// The first match that is replaced, counted from 1.
    pub occurrence: usize,
    /// Whether all matches from there on are replaced.
    pub global: bool,
    pub print: bool,
}

#[derive(Debug, PartialEq)]
pub(super) enum Piece {
    Text(String),
    /// A group; 0 is the whole match.
    Group(usize),
}
