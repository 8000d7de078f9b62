//! The literal variables of a label: values that are known without running a shell.

use appstitch_text::served;
use appstitch_types::{LabelToolSource, RawObject};
use serde_json::{Map, Value};

use super::redirect::redirecting_address;

/// The variables of a label that are plain text or lists of plain text.
pub struct Literals {
    variables: Map<String, Value>,
    /// The values that differ on an Intel Mac; null if unknown there.
    intel: Map<String, Value>,
    /// The address that the public tracker recorded.
    recorded_address: Option<String>,
    /// The address that redirects to the download.
    redirecting_address: Option<String>,
    /// Whether the label has a literal URL that it does not come to on an Intel Mac: it exits there.
    pub(crate) exits_on_intel: bool,
    /// Whether the recorded address is the only one.
    pub(crate) has_recorded_address: bool,
}

impl Literals {
    /// Reads the literal variables. Resolved values replace those that need a shell.
    pub fn read(raw: &RawObject) -> Self {
        Self::of(raw.read())
    }

    /// [`Self::read`] for a parsed payload.
    pub fn of(mut variables: Map<String, Value>) -> Self {
        let mut take = |key: &str| match variables.shift_remove(key) {
            Some(Value::Object(values)) => values,
            _ => Map::new(),
        };
        let resolved = take(LabelToolSource::RESOLVED);
        let intel = take(LabelToolSource::RESOLVED_INTEL);
        let recorded = take(LabelToolSource::RECORDED);
        let exits_on_intel = intel.get("downloadURL") == Some(&Value::Null)
            && variables.get("downloadURL").and_then(Value::as_str).is_some_and(served::is_literal);
        let recorded_address =
            recorded.get("downloadURL").and_then(Value::as_str).map(str::to_owned);
        let redirecting_address =
            variables.get("downloadURL").and_then(Value::as_str).and_then(redirecting_address);
        let mut variables = overlaid(variables, resolved);
        let has_recorded_address =
            recorded_address.is_some() && !variables.contains_key("downloadURL");
        if has_recorded_address {
            variables.extend(recorded);
        }
        Self {
            variables,
            intel,
            recorded_address,
            redirecting_address,
            exits_on_intel,
            has_recorded_address,
        }
    }

    /// `None` if there are no differences.
    pub fn on_intel(&self) -> Option<Self> {
        (!self.intel.is_empty()).then(|| Self {
            variables: overlaid(self.variables.clone(), self.intel.clone()),
            intel: Map::new(),
            recorded_address: None,
            redirecting_address: self.redirecting_address.clone(),
            exits_on_intel: self.exits_on_intel,
            has_recorded_address: self.has_recorded_address,
        })
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.variables.get(name)?.as_str()
    }

    pub(crate) fn recorded_address(&self) -> Option<&str> {
        self.recorded_address.as_deref()
    }

    /// The address whose redirect the label downloads: it gives the newest file.
    pub(crate) fn redirecting_address(&self) -> Option<&str> {
        self.redirecting_address.as_deref()
    }

    pub fn value(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }

    /// The app's file name without `.app`, which the tool looks for on disk.
    pub fn name(&self) -> Option<&str> {
        self.text("name").map(|name| name.strip_suffix(".app").unwrap_or(name))
    }

    /// The version, unless it is a placeholder.
    pub fn version(&self) -> Option<&str> {
        self.text("appNewVersion")
            .filter(|version| served::check_value("appNewVersion", version).is_ok())
    }

    /// All literal variables, in the label's order.
    pub fn all(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value))
    }
}

/// Replaces variables by `values` and keeps only literal ones.
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
        Value::String(text) => served::is_literal(text),
        Value::Array(items) => {
            !items.is_empty()
                && items.iter().all(|item| item.as_str().is_some_and(served::is_literal))
        }
        _ => false,
    }
}
