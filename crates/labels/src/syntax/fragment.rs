//! A fragment file: arms of a `case`.

use super::{
    Part, Script, SyntaxError, Word,
    parser::{Parsed, Parser},
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fragment {
    pub(crate) names: Vec<String>,
    pub(crate) body: Script,
}

impl Fragment {
    /// Parses a fragment file. The first arm with statements is the label; the names of empty arms
    /// before it count as its names.
    pub(crate) fn parse(text: &str) -> Result<Self, SyntaxError> {
        let mut parser = Parser::new(text)?;
        let mut names = Vec::new();
        loop {
            parser.skip_lines();
            if parser.peek().is_none() {
                return Err(parser.error("the label has no statements"));
            }
            let patterns = parser.patterns()?;
            names.extend(patterns.iter().map(name));
            let body = arm(&mut parser)?;
            if !body.is_empty() {
                names.retain(|name| !name.is_empty());
                return Ok(Self { names, body });
            }
        }
    }
}

/// Parses statements that stand alone, without tolerance for what zsh does not accept.
pub(crate) fn parse_script(text: &str) -> Result<Script, SyntaxError> {
    let mut parser = Parser::new(text)?;
    parser.strict = true;
    parser.script(&[""])
}

fn arm(parser: &mut Parser) -> Parsed<Script> {
    let body = parser.script(&[";;", ""])?;
    parser.take(";;");
    Ok(body)
}

fn name(pattern: &Word) -> String {
    let texts = pattern.iter().map(|part| match part {
        Part::Plain(text) | Part::Quoted(text) => text.as_str(),
        Part::Expansion { .. } => "",
    });
    texts.collect::<String>().trim().to_owned()
}
