//! A function definition that is copied into a shell script as it is written.
//!
//! Sourcing the script runs everything around the function, so the text must be exactly one
//! definition, for zsh as well as for this crate. Two readers that know nothing of each other must
//! agree: [`extent`] finds the end of the function by zsh's quoting rules and accepts only text on
//! which these are beyond doubt; the grammar of labels then parses it. Nothing is said about what
//! the function does when it is called.

mod extent;

use thiserror::Error;

use crate::syntax::{self, Command};

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotOneFunction {
    #[error("it does not start with '{0}() {{'")]
    Header(String),
    /// A part of the text that zsh may read in another way.
    #[error("line {line}: {what}")]
    Doubtful { line: usize, what: &'static str },
    /// A part of the text that the grammar of labels does not know.
    #[error("{0}")]
    Syntax(String),
    /// More than the definition, or another one.
    #[error("it is not one function definition and nothing else")]
    More,
}

/// Checks that the text is one definition of the function `name`, with nothing before, after or
/// beside it.
///
/// ```
/// use appstitch_labels::check_function;
///
/// assert!(check_function("f", "f() { tool --version | cut -d' ' -f2 }").is_ok());
/// assert!(check_function("f", "f() { tool; }; other").is_err());
/// ```
pub fn check_function(name: &str, text: &str) -> Result<(), NotOneFunction> {
    extent::check(name, text)?;
    let script =
        syntax::parse_script(text).map_err(|error| NotOneFunction::Syntax(error.to_string()))?;
    let [statement] = script.as_ref() else { return Err(NotOneFunction::More) };
    match &statement.command {
        Command::Function { name: defined, text: whole, .. }
            if defined == name && **whole == *text && statement.redirections.is_empty() =>
        {
            Ok(())
        }
        _ => Err(NotOneFunction::More),
    }
}

#[cfg(test)]
mod tests;
