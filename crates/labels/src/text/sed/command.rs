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

/// Which lines.
pub(super) enum Address {
    /// The line with this number.
    Line(usize),
    /// This many lines behind the first one of a range.
    Further(usize),
    /// The last line.
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

/// What a command does.
pub(super) enum Action {
    /// Prints a text behind the line.
    Append(String),
    /// Goes on with another command; without one, at the end of the script.
    Branch(Option<usize>),
    /// Replaces the lines by a text.
    Change(String),
    Delete,
    DeleteFirst,
    /// Ends a group.
    End,
    Get,
    GetAppend,
    /// A group: other lines go on with the command behind it.
    Group(usize),
    Hold,
    HoldAppend,
    /// Prints a text before the line.
    Insert(String),
    /// A place to branch to.
    Label,
    Next,
    NextAppend,
    Number,
    Print,
    PrintFirst,
    Quit,
    Substitute(Substitution),
    /// Branches after a substitution.
    Test(Option<usize>),
    Transform(Vec<(char, char)>),
    Exchange,
}

/// The command `s`.
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

/// A part of a replacement.
#[derive(Debug, PartialEq)]
pub(super) enum Piece {
    Text(String),
    /// A group; 0 is the whole match.
    Group(usize),
}
