//! The statements inside a statement, for those who look at a label without running it.

use super::tree::{Command, Statement};

/// How a statement runs the statements inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inside {
    /// A part of a pipeline, of a chain or of a group.
    Part,
    /// What decides about a branch or a turn of a loop.
    Condition,
    Branch,
    Loop,
    /// A subshell, whose assignments do not last.
    Subshell,
}

impl Command {
    /// The statements directly inside, in order. The body of a function is not among them: it runs
    /// only when the function is called.
    pub(crate) fn inside(&self) -> Vec<(Inside, &[Statement])> {
        match self {
            Self::Pipeline { parts, .. } => vec![(Inside::Part, parts)],
            Self::Chain { first, rest } => {
                let rest = rest.iter().map(|(_, statement)| statement);
                let all = std::iter::once(&**first).chain(rest);
                all.map(|statement| (Inside::Part, std::slice::from_ref(statement))).collect()
            }
            Self::If { branches, otherwise } => {
                let branches = branches.iter().flat_map(|(condition, body)| {
                    [(Inside::Condition, &**condition), (Inside::Branch, &**body)]
                });
                let otherwise = otherwise.iter().map(|body| (Inside::Branch, &**body));
                branches.chain(otherwise).collect()
            }
            Self::Case { arms, .. } => {
                arms.iter().map(|(_, body)| (Inside::Branch, &**body)).collect()
            }
            Self::For { body, .. } => vec![(Inside::Loop, body)],
            Self::While { condition, body, .. } => {
                vec![(Inside::Condition, condition), (Inside::Loop, body)]
            }
            Self::Group(body) => vec![(Inside::Part, body)],
            Self::Subshell(body) => vec![(Inside::Subshell, body)],
            Self::Simple(_) | Self::Condition(_) | Self::Arithmetic(_) | Self::Function { .. } => {
                Vec::new()
            }
        }
    }
}
