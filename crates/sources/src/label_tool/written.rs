//! The assignments and functions of a label as upstream wrote them.

use appstitch_labels::{Label, Written};
use serde_json::{Map, Value};

/// The label's variables. A value is a string, or a list of strings for arrays and repeated
/// assignments.
pub(super) fn variables(label: &Label) -> Map<String, Value> {
    let mut variables: Map<String, Value> = Map::new();
    for (name, written) in &label.assignments {
        let value = match written {
            Written::Text(text) => Value::from(text.as_str()),
            Written::List(items) => items.iter().map(String::as_str).collect(),
        };
        match variables.get_mut(name) {
            None => {
                variables.insert(name.clone(), value);
            }
            Some(Value::Array(list)) => list.extend(into_list(value)),
            Some(first) => {
                let mut list = vec![first.take()];
                list.extend(into_list(value));
                *first = list.into();
            }
        }
    }
    variables
}

fn into_list(value: Value) -> Vec<Value> {
    match value {
        Value::Array(list) => list,
        other => vec![other],
    }
}

pub(super) fn function<'a>(label: &'a Label, name: &str) -> Option<&'a str> {
    let function = label.functions.iter().find(|(function, _)| function == name)?;
    Some(function.1.trim())
}
