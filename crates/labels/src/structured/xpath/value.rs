//! Values of expressions and how they change from one type to another.

use super::super::tree::{Dialect, Document, NodeId};

#[derive(Debug, Clone, PartialEq)]
pub(in super::super) enum Value {
    Nodes(Vec<NodeId>),
    Text(String),
    Number(f64),
    Truth(bool),
}

impl Value {
    pub(super) fn truth(&self) -> bool {
        match self {
            Self::Nodes(nodes) => !nodes.is_empty(),
            Self::Text(text) => !text.is_empty(),
            Self::Number(number) => *number != 0.0 && !number.is_nan(),
            Self::Truth(truth) => *truth,
        }
    }

    pub(super) fn text(&self, document: &Document, dialect: Dialect) -> String {
        match self {
            Self::Nodes(nodes) => {
                nodes.first().map(|first| document.string_value(*first)).unwrap_or_default()
            }
            Self::Text(text) => text.clone(),
            Self::Number(number) if number.is_nan() && dialect == Dialect::Perl => String::new(),
            Self::Number(number) => format_number(*number),
            Self::Truth(truth) => truth.to_string(),
        }
    }

    pub(super) fn number(&self, document: &Document, dialect: Dialect) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Truth(truth) => f64::from(u8::from(*truth)),
            _ => parse_number(&self.text(document, dialect)),
        }
    }
}

/// A number in the notation of `XPath`; anything else is not a number.
pub(super) fn parse_number(text: &str) -> f64 {
    let text = text.trim_matches([' ', '\t', '\n', '\r']);
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits.chars().all(|character| character.is_ascii_digit() || character == '.');
    if plain { text.parse().unwrap_or(f64::NAN) } else { f64::NAN }
}

/// A number as both tools print it in a text.
pub(in super::super) fn format_number(number: f64) -> String {
    if number.is_nan() {
        "NaN".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    } else if number == 0.0 {
        "0".to_owned()
    } else {
        number.to_string()
    }
}
