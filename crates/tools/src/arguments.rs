//! Reads the arguments of a tool call. Errors start with the name of the argument.

use appstitch_types::DriftScope;
use rmcp::model::JsonObject;
use serde_json::Value;

use crate::{definition::CatalogTool, parameters::ParameterKind};

/// The arguments of a call, validated and with defaults filled in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ToolArguments {
    pub(crate) slug: String,
    pub(crate) query: String,
    pub(crate) vendor: Option<String>,
    pub(crate) source: Option<String>,
    pub(crate) since: Option<String>,
    pub(crate) kind: Option<String>,
    pub(crate) field: Option<String>,
    pub(crate) scope: DriftScope,
    pub(crate) inventory: String,
    pub(crate) verdicts: Option<String>,
    pub(crate) format: String,
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) limit: usize,
    pub(crate) offset: usize,
}

impl ToolArguments {
    /// Reads the arguments of a tool; the error names the first invalid argument.
    pub(crate) fn read(tool: CatalogTool, given: Option<&JsonObject>) -> Result<Self, String> {
        let none = JsonObject::new();
        let given = given.unwrap_or(&none);
        let known = tool.text().parameters;
        if let Some(name) = given.keys().find(|name| known.iter().all(|known| known.name != **name))
        {
            return Err(unknown(tool, name));
        }
        let mut arguments = Self::default();
        for parameter in known {
            let value = given.get(parameter.name).unwrap_or(&Value::Null);
            let wrong = |expected: &str| {
                let name = parameter.name;
                match given.get(name) {
                    None => format!("{name}: missing argument; expected {expected}"),
                    Some(value) => format!("{name}: expected {expected}, got {value}"),
                }
            };
            match parameter.kind {
                ParameterKind::Text => {
                    let text = value.as_str().ok_or_else(|| wrong("a string"))?;
                    arguments.set_text(parameter.name, text);
                }
                ParameterKind::Document => {
                    arguments.inventory = match value {
                        Value::String(text) => text.clone(),
                        Value::Object(_) | Value::Array(_) => value.to_string(),
                        _ => return Err(wrong("a string, an object or an array")),
                    };
                }
                ParameterKind::OptionalText => match value {
                    Value::Null => {}
                    Value::String(text) => arguments.set_text(parameter.name, text),
                    _ => return Err(wrong("a string or null")),
                },
                ParameterKind::Words if value.is_null() => {}
                ParameterKind::Words => {
                    let list = words(value);
                    let list =
                        list.ok_or_else(|| wrong("an array of strings, a string or null"))?;
                    arguments.set_words(parameter.name, list).map_err(wrong)?;
                }
                ParameterKind::Limit(default, cap) => {
                    let limit = match value {
                        Value::Null => Some(default),
                        value => integer(value).map(|number| clamp(number, 1, cap)),
                    };
                    arguments.limit = limit.ok_or_else(|| wrong("an integer"))?;
                }
                ParameterKind::Offset => {
                    let offset = match value {
                        Value::Null => Some(0),
                        value => integer(value).map(|number| clamp(number, 0, usize::MAX)),
                    };
                    arguments.offset = offset.ok_or_else(|| wrong("an integer"))?;
                }
            }
        }
        Ok(arguments)
    }

    fn set_text(&mut self, name: &str, text: &str) {
        let text = text.to_owned();
        match name {
            "slug" => self.slug = text,
            "query" => self.query = text,
            "vendor" => self.vendor = Some(text),
            "since" => self.since = Some(text),
            "kind" => self.kind = Some(text),
            "field" => self.field = Some(text),
            "format" => self.format = text,
            "a" => self.a = text,
            "b" => self.b = text,
            _ => self.source = Some(text),
        }
    }

    /// Fails with what was expected.
    fn set_words(&mut self, name: &str, list: String) -> Result<(), &'static str> {
        match name {
            "include" => {
                self.scope =
                    DriftScope::read(&list).map_err(|_| "mdm_installer, store_listing or both")?;
            }
            _ => self.verdicts = Some(list),
        }
        Ok(())
    }
}

/// The words of a list, separated by commas.
fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => {
            let words: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            words.map(|words| words.join(","))
        }
        _ => None,
    }
}

fn unknown(tool: CatalogTool, name: &str) -> String {
    let known: Vec<&str> = tool.text().parameters.iter().map(|parameter| parameter.name).collect();
    let takes = if known.is_empty() { "no arguments".to_owned() } else { known.join(", ") };
    format!("{name}: unknown argument; {} takes {takes}", tool.text().name)
}

/// An integer of any size, in the forms that models send: `5`, `5.0`, `"5"`.
fn integer(value: &Value) -> Option<i128> {
    match value {
        Value::Number(number) => number.as_i128().or_else(|| whole(number.as_f64()?)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the cast saturates, and callers clamp")]
fn whole(number: f64) -> Option<i128> {
    (number.fract() == 0.0).then_some(number as i128)
}

fn clamp(number: i128, low: usize, high: usize) -> usize {
    usize::try_from(number.max(0)).unwrap_or(usize::MAX).clamp(low, high)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(tool: CatalogTool, given: Value) -> Result<ToolArguments, String> {
        let Value::Object(given) = given else { panic!("arguments must be an object") };
        ToolArguments::read(tool, Some(&given))
    }

    #[test]
    fn limits_are_clamped_and_defaults_filled_in() {
        let limit = |given: Value| read(CatalogTool::SearchApps, given).unwrap().limit;
        assert_eq!(limit(json!({"query": ""})), 20);
        for (given, expected) in [
            (json!(5), 5),
            (json!(5.0), 5),
            (json!("7"), 7),
            (json!(0), 1),
            (json!(-3), 1),
            (json!(101), 100),
            (json!(u64::MAX), 100),
            (json!(1e300), 100),
            (json!(null), 20),
        ] {
            assert_eq!(limit(json!({"query": "", "limit": given})), expected, "{given}");
        }
        let drift = read(CatalogTool::ListDrift, json!({"offset": -1, "vendor": null})).unwrap();
        assert_eq!((drift.offset, drift.limit, drift.vendor), (0, 25, None));
    }

    #[test]
    fn lists_are_arrays_or_separated_by_commas() {
        for list in
            [json!(["mdm_installer", "store_listing"]), json!("mdm_installer, store_listing")]
        {
            let scope = read(CatalogTool::ListDrift, json!({"include": list})).unwrap().scope;
            assert_eq!(scope.further().count(), 2);
        }
        let verdicts = |list: Value| {
            let given = json!({"inventory": "", "verdicts": list});
            read(CatalogTool::CheckInventory, given).unwrap().verdicts
        };
        assert_eq!(verdicts(json!(["outdated", "current"])).as_deref(), Some("outdated,current"));
        assert_eq!((verdicts(json!([])).as_deref(), verdicts(json!(null))), (Some(""), None));
    }

    #[test]
    fn what_is_wrong_is_reported_by_name() {
        for (tool, given, start) in [
            (CatalogTool::GetApp, json!({}), "slug: missing argument"),
            (CatalogTool::GetApp, json!({"slug": 5}), "slug: expected a string, got 5"),
            (CatalogTool::GetApp, json!({"slug": "a", "slugg": 1}), "slugg: unknown argument"),
            (CatalogTool::SearchApps, json!({"query": null}), "query: expected a string, got null"),
            (
                CatalogTool::SearchApps,
                json!({"query": "", "limit": "many"}),
                "limit: expected an integer",
            ),
            (CatalogTool::SearchApps, json!({"query": "", "limit": 1.5}), "limit: expected an"),
            (CatalogTool::ListDrift, json!({"source": []}), "source: expected a string or null"),
            (
                CatalogTool::ListDrift,
                json!({"include": [1]}),
                "include: expected an array of strings",
            ),
            (CatalogTool::ListDrift, json!({"include": "x"}), "include: expected mdm_installer,"),
            (CatalogTool::ListCategories, json!({"x": 1}), "x: unknown argument"),
        ] {
            let error = read(tool, given).unwrap_err();
            assert!(error.starts_with(start), "{error}");
        }
    }
}
