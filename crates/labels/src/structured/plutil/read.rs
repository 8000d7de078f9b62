//! Reads property lists in XML, and JSON.

use serde_json::Value;

use super::super::failure::Failure;
use super::super::json_value::parse_json;
use super::super::tree::{Dialect, Document, Kind, NodeId};
use super::super::xml;
use crate::{Budget, Stopped};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Plist {
    Dictionary(Vec<(String, Plist)>),
    Array(Vec<Plist>),
    Text(String),
    /// A whole number, as written.
    Integer(String),
    Real(f64),
    Truth(bool),
    /// A date or data, as written.
    Date(String),
    Data(String),
    /// Only JSON has it.
    Null,
}

pub(super) fn read(input: &str, budget: &mut Budget) -> Result<Plist, Failure> {
    let start = input.trim_start();
    if start.starts_with(['{', '[', '"']) {
        let value = parse_json(input, budget)?.ok_or_else(|| not_json(input))?;
        return Ok(from_json(value));
    }
    if !start.starts_with('<') {
        return if start.is_empty() { Err(Failure::Refused) } else { Err(not_json(input)) };
    }
    let options = xml::Options { dialect: Dialect::Perl, drop_blanks: false };
    let document = xml::read(input, options, budget)?.document;
    let root = elements(&document, Document::ROOT).next().ok_or(Failure::Refused)?;
    if document.name(root) != "plist" {
        return Err(Failure::Refused);
    }
    let value = elements(&document, root).next().ok_or(Failure::Refused)?;
    from_xml(&document, value)
}

/// What is not JSON may be a property list in the old style. That has no colon behind a quoted text,
/// as JSON with a part missing has.
fn not_json(input: &str) -> Failure {
    if input.contains("\":") {
        return Failure::Refused;
    }
    Stopped::unsupported("plutil", "a property list in the old style").into()
}

fn from_json(value: Value) -> Plist {
    match value {
        Value::Null => Plist::Null,
        Value::Bool(truth) => Plist::Truth(truth),
        Value::Number(number) if number.is_f64() => Plist::Real(number.as_f64().unwrap_or(0.0)),
        Value::Number(number) => Plist::Integer(number.to_string()),
        Value::String(text) => Plist::Text(text),
        Value::Array(values) => Plist::Array(values.into_iter().map(from_json).collect()),
        Value::Object(map) => {
            let members = map.into_iter().map(|(name, value)| (name, from_json(value)));
            Plist::Dictionary(members.collect())
        }
    }
}

fn elements(document: &Document, id: NodeId) -> impl Iterator<Item = NodeId> {
    let children = document.node(id).children.iter().copied();
    children.filter(|child| matches!(document.node(*child).kind, Kind::Element(_)))
}

/// The value of an element. The reader limits the depth of the recursion.
fn from_xml(document: &Document, id: NodeId) -> Result<Plist, Failure> {
    let text = || document.string_value(id);
    Ok(match document.name(id) {
        "string" => Plist::Text(text()),
        "integer" => Plist::Integer(text().trim().to_owned()),
        "real" => Plist::Real(text().trim().parse().map_err(|_| Failure::Refused)?),
        "true" => Plist::Truth(true),
        "false" => Plist::Truth(false),
        "date" => Plist::Date(text().trim().to_owned()),
        "data" => Plist::Data(text().split_whitespace().collect()),
        "array" => {
            let values = elements(document, id).map(|child| from_xml(document, child));
            Plist::Array(values.collect::<Result<_, _>>()?)
        }
        "dict" => {
            let mut members = Vec::new();
            let mut children = elements(document, id);
            while let Some(key) = children.next() {
                let value = children.next().ok_or(Failure::Refused)?;
                if document.name(key) != "key" {
                    return Err(Failure::Refused);
                }
                members.push((document.string_value(key), from_xml(document, value)?));
            }
            Plist::Dictionary(members)
        }
        _ => return Err(Failure::Refused),
    })
}
