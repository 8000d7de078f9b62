//! `sed`: edits lines by a script.

mod command;
mod machine;
mod parse;
mod select;
mod substitute;

use machine::Machine;

use super::options::Grammar;
use super::pattern::Syntax;
use crate::{Budget, FilterResult, Stopped};

const GRAMMAR: Grammar =
    Grammar { command: "sed", flags: "Ealnrsu", valued: "ef", long: &[], mixed: false };

pub(super) fn run(arguments: &[String], input: &str, budget: &mut Budget) -> FilterResult {
    let mut options = GRAMMAR.parse(arguments)?;
    if options.has('f') {
        return Err(Stopped::unsupported("sed", "reading a script from a file"));
    }
    let scripts = options.given.iter().filter(|(letter, _)| *letter == 'e');
    let mut scripts: Vec<&str> = scripts.map(|(_, script)| *script).collect();
    if scripts.is_empty() {
        if options.operands.is_empty() {
            return Err(Stopped::unsupported("sed", "a call without a script"));
        }
        scripts.push(options.operands.remove(0));
    }
    options.only_standard_input("sed")?;
    let extended = options.has('E') || options.has('r');
    let syntax = if extended { Syntax::SED_EXTENDED } else { Syntax::SED_BASIC };
    let script = parse::parse(&scripts.join("\n"), syntax, budget)?;
    Machine::new(&script, options.has('n'), input).run(budget)
}

#[cfg(test)]
mod tests;
