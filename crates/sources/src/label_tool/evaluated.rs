//! The values of a label that follow from its text alone.
//!
//! Branches on the architecture are decided, and commands run on literal text. A value that needs
//! the network, more of a Mac than its architecture, or an unsupported tool is unknown, and so is
//! everything that depends on it. Nothing is guessed.

use appstitch_labels::{Architecture, Label, Resolved};
use serde_json::{Map, Value};

use super::allowance::Allowance;

/// The most bytes of a computed value. A longer one counts as unknown: nothing that a label sets is
/// that long, and every record with it is kept and served.
const MAX_VALUE: usize = 64 << 10;

/// The values of a label, evaluated for both architectures.
pub(super) struct Evaluated {
    silicon: Resolved,
    intel: Resolved,
}

impl Evaluated {
    pub(super) fn of(label: &Label, allowance: &mut Allowance) -> Self {
        let mut on = |architecture: Architecture| {
            allowance.evaluate(|budget| label.evaluate(architecture, budget))
        };
        Self { silicon: on(Architecture::Arm64), intel: on(Architecture::I386) }
    }

    pub(super) fn on_intel(&self, name: &str) -> Option<Value> {
        known(&self.intel, name)
    }

    /// The values of variables that are not literal as written. A value that looks literal but may
    /// not be set (for example in a branch that is not taken) is null: it must not be used.
    pub(super) fn resolved(&self, raw: &Map<String, Value>) -> Map<String, Value> {
        let mut resolved = Map::new();
        for (name, written) in raw {
            match known(&self.silicon, name) {
                Some(value) if value.as_str().is_some_and(str::is_empty) => {}
                Some(value) if value == *written => {}
                Some(value) => {
                    resolved.insert(name.clone(), value);
                }
                None if looks_literal(written) => {
                    resolved.insert(name.clone(), Value::Null);
                }
                None => {}
            }
        }
        resolved
    }

    /// The values that differ on Intel Macs, for variables that are known on Apple silicon. An
    /// unknown value is null.
    pub(super) fn differing(&self, raw: &Map<String, Value>) -> Map<String, Value> {
        let mut differing = Map::new();
        for name in raw.keys() {
            let Some(value) = known(&self.silicon, name) else { continue };
            let other = self.on_intel(name);
            if other.as_ref() != Some(&value) {
                differing.insert(name.clone(), other.unwrap_or(Value::Null));
            }
        }
        differing
    }
}

/// The value of a variable as JSON; `None` if it is unknown. A label that ends itself installs
/// nothing on that architecture, so it has no download there.
fn known(resolved: &Resolved, name: &str) -> Option<Value> {
    if resolved.exited && matches!(name, "downloadURL" | "appNewVersion") {
        return None;
    }
    let text = resolved.values.get(name)?.as_ref().ok()?;
    if text.len() > MAX_VALUE {
        return None;
    }
    Some(match resolved.lists.get(name) {
        Some(list) if list.len() > MAX_VALUE => return None,
        Some(list) => list.iter().map(String::as_str).collect(),
        None => text.as_str().into(),
    })
}

pub(super) fn looks_literal(written: &Value) -> bool {
    match written {
        Value::String(text) => !text.contains(['$', '`']) && !text.is_empty(),
        Value::Array(items) => items.iter().all(looks_literal),
        _ => false,
    }
}
