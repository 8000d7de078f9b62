//! The literal part of a label's variables: what is true without running a shell.

use serde_json::{Map, Value};

use crate::{LabelToolSource, RawObject, served};

/// A label's variables that hold plain text or lists of plain text.
pub(crate) struct Literals {
    variables: Map<String, Value>,
    /// What is another value on an Intel Mac; null where it is not known there.
    intel: Map<String, Value>,
}

impl Literals {
    /// What the label says literally, with the values that were worked out in place of those
    /// that only a shell can tell.
    pub(crate) fn read(raw: &RawObject) -> Self {
        let mut variables = raw.read();
        let mut take = |key: &str| match variables.shift_remove(key) {
            Some(Value::Object(values)) => values,
            _ => Map::new(),
        };
        let resolved = take(LabelToolSource::RESOLVED);
        let intel = take(LabelToolSource::RESOLVED_INTEL);
        Self { variables: overlaid(variables, resolved), intel }
    }

    /// The same label as it is on an Intel Mac; `None` where nothing is different there.
    pub(crate) fn on_intel(&self) -> Option<Self> {
        (!self.intel.is_empty()).then(|| Self {
            variables: overlaid(self.variables.clone(), self.intel.clone()),
            intel: Map::new(),
        })
    }

    /// A variable that holds text.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.variables.get(name)?.as_str()
    }

    /// What the tool looks for on disk: the app's file name without `.app`.
    pub(crate) fn name(&self) -> Option<&str> {
        self.text("name").map(|name| name.strip_suffix(".app").unwrap_or(name))
    }

    /// The version, unless it is a stand-in.
    pub(crate) fn version(&self) -> Option<&str> {
        self.text("appNewVersion")
            .filter(|version| served::check_value("appNewVersion", version).is_ok())
    }

    /// Every literal variable, in the label's order.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value))
    }
}

/// Variables with other values in their place, as far as the result is literal.
fn overlaid(mut variables: Map<String, Value>, values: Map<String, Value>) -> Map<String, Value> {
    variables.extend(values);
    variables.retain(|name, value| is_variable_name(name) && is_literal(value));
    variables
}

fn is_variable_name(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|other| other.is_ascii_alphanumeric() || other == '_')
}

fn is_literal(value: &Value) -> bool {
    match value {
        Value::String(text) => is_literal_text(text),
        Value::Array(items) => {
            !items.is_empty() && items.iter().all(|item| item.as_str().is_some_and(is_literal_text))
        }
        _ => false,
    }
}

fn is_literal_text(text: &str) -> bool {
    !text.is_empty() && !served::is_shell_expression(text) && !text.chars().any(char::is_control)
}
