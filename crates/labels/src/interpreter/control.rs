//! How statements pass control on.

use crate::Stopped;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    Next,
    /// Leaves this many loops.
    Break(usize),
    /// Goes on with the next turn of a loop, after leaving the loops inside it.
    Continue(usize),
    Return,
    Exit,
}

/// It is not known which statement comes next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Interrupt {
    /// Within the loop around.
    Loop(Stopped),
    /// Within the run, or within the subshell around.
    Run(Stopped),
    Limit(Stopped),
}

impl Interrupt {
    pub(crate) fn reason(self) -> Stopped {
        match self {
            Self::Loop(stopped) | Self::Run(stopped) | Self::Limit(stopped) => stopped,
        }
    }
}
