//! Parses shell fragments. The parser library is young, so this is the only module that calls it.

use shuck_ast::{Command, CompoundCommand, StmtSeq};
use shuck_parser::{
    ShellDialect,
    parser::{ParseStatus, Parser},
};

/// A parsed label fragment: one arm of a `case`.
pub(super) struct Fragment {
    /// The text the tree's spans point into.
    pub(super) source: String,
    /// The arm's names, in order.
    pub(super) names: Vec<String>,
    /// The arm's statements.
    pub(super) body: StmtSeq,
}

impl Fragment {
    /// Whether the label checks the architecture of the Mac.
    pub(super) fn asks_architecture(&self) -> bool {
        let words = self.source.split(|character: char| !character.is_ascii_alphanumeric());
        let mut words = words.filter(|word| !word.is_empty());
        words.any(|word| matches!(word, "arch" | "uname" | "arm64" | "i386"))
    }

    /// Parses a fragment file. The first arm with statements is the label; the names of empty arms
    /// before it count as its names.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let source = format!("case label in\n{text}\nesac\n");
        let parsed = Parser::with_dialect(&source, ShellDialect::Zsh).parse();
        if !matches!(parsed.status, ParseStatus::Clean) {
            return Err("not valid zsh syntax".to_owned());
        }
        let case =
            parsed.file.body.stmts.into_iter().find_map(|statement| match statement.command {
                Command::Compound(CompoundCommand::Case(case)) => Some(case),
                _ => None,
            });
        let case = case.ok_or("not an arm of a shell case")?;
        let mut names = Vec::new();
        for item in case.cases {
            // A backslash at the end of a line continues the list of names on the next line.
            let name = |text: String| text.replace("\\\n", "").trim().to_owned();
            names.extend(item.patterns.iter().map(|pattern| name(pattern.render(&source))));
            if !item.body.is_empty() {
                names.retain(|name| !name.is_empty());
                return Ok(Self { source, names, body: item.body });
            }
        }
        Err("the label has no statements".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_an_arm_is_found_in_order() {
        let fragment = Fragment::parse("one|\\\ntwo|three)\n    name=\"One\"\n    ;;").unwrap();
        assert_eq!(fragment.names, ["one", "two", "three"]);
    }

    #[test]
    fn what_is_no_arm_is_refused() {
        assert!(Fragment::parse("one)\n    ;;").is_err());
        assert!(Fragment::parse("one)\n    name=\"unclosed\n    ;;").is_err());
    }
}
