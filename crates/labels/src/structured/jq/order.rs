//! The order of values.

use std::cmp::Ordering;

use serde_json::Value;

/// Compares two values: first by their types, then by what they hold.
pub(super) fn compare(left: &Value, right: &Value) -> Ordering {
    rank(left).cmp(&rank(right)).then_with(|| match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            let (left, right) = (left.as_f64().unwrap_or(0.0), right.as_f64().unwrap_or(0.0));
            left.partial_cmp(&right).unwrap_or(Ordering::Equal)
        }
        (Value::String(left), Value::String(right)) => left.cmp(right),
        (Value::Array(left), Value::Array(right)) => {
            let members = left.iter().zip(right).map(|(left, right)| compare(left, right));
            members.fold(Ordering::Equal, Ordering::then).then(left.len().cmp(&right.len()))
        }
        (Value::Object(left), Value::Object(right)) => {
            let sorted = |map: &serde_json::Map<String, Value>| {
                let mut names: Vec<String> = map.keys().cloned().collect();
                names.sort();
                names
            };
            let names = sorted(left);
            let members = names.iter().map(|name| {
                compare(
                    left.get(name).unwrap_or(&Value::Null),
                    right.get(name).unwrap_or(&Value::Null),
                )
            });
            names.cmp(&sorted(right)).then_with(|| members.fold(Ordering::Equal, Ordering::then))
        }
        _ => Ordering::Equal,
    })
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(false) => 1,
        Value::Bool(true) => 2,
        Value::Number(_) => 3,
        Value::String(_) => 4,
        Value::Array(_) => 5,
        Value::Object(_) => 6,
    }
}
