//! The payloads of an app, in a size that a model can use.
//!
//! Few payloads are long, and these have long free-form values or many recipes. Such values are left
//! out, largest first, and the note says which and how to get them.

use appstitch_types::Source;
use bytes::Bytes;
use serde_json::{Map, Value};

use crate::definition::ToolOutput;

/// The size of all payloads together, in bytes. A single payload may take as much as any result.
const TOGETHER: usize = 32 << 10;

/// The free-form values of the payloads, which may lack any key.
const FREE_FORM: [(Source, &str); 3] = [
    (Source::LabelTool, "raw"),
    (Source::CaskCatalog, "entry_json"),
    (Source::StoreListing, "raw"),
];

/// All payloads, or only that of one source. The other ones are null then.
pub(super) fn fitting(
    json: Bytes,
    only: Option<Source>,
    max_bytes: usize,
) -> Result<ToolOutput, String> {
    let limit = if only.is_some() { max_bytes } else { TOGETHER.min(max_bytes) };
    if only.is_none() && json.len() <= limit {
        return Ok(ToolOutput::of(json));
    }
    let broken = |_| "the payloads cannot be read".to_owned();
    let mut payloads: Map<String, Value> = serde_json::from_slice(&json).map_err(broken)?;
    let mut notes = Vec::new();
    if let Some(only) = only {
        for (token, payload) in &mut payloads {
            if token != only.token() {
                *payload = Value::Null;
            }
        }
        notes.push(format!("Only {} was asked for; the other keys are null.", only.token()));
    }
    let left_out = shorten(&mut payloads, limit).map_err(broken)?;
    if !left_out.is_empty() {
        let rest = if only.is_some() {
            "Use GET /apps/{slug}/sources of the HTTP API for everything."
        } else {
            "Call again with source to get one payload whole."
        };
        notes.push(format!(
            "The payloads are long, so this was left out: {}. {rest}",
            left_out.join(", ")
        ));
    }
    let json = serde_json::to_vec(&payloads).map_err(broken)?;
    if json.len() > max_bytes {
        return Err(format!(
            "the result has {} bytes, but the limit is {max_bytes} bytes; use GET /apps/{{slug}}/sources of the HTTP API instead",
            json.len()
        ));
    }
    Ok(ToolOutput { json: json.into(), notes })
}

/// What can be left out of a payload.
enum Part {
    /// A key of a free-form value.
    Key {
        source: Source,
        field: &'static str,
        key: String,
    },
    Recipes,
}

/// Leaves out the largest parts until the payloads fit; returns what they were.
fn shorten(
    payloads: &mut Map<String, Value>,
    limit: usize,
) -> Result<Vec<String>, serde_json::Error> {
    let mut size = serde_json::to_vec(payloads)?.len();
    let mut left_out = Vec::new();
    while size > limit {
        let Some((bytes, part)) = largest(payloads)? else { break };
        match part {
            Part::Key { source, field, key } => {
                if let Some(Value::Object(values)) = payloads[source.token()].get_mut(field) {
                    values.shift_remove(&key);
                }
                left_out.push(format!("{}.{field}.{key} ({bytes} bytes)", source.token()));
            }
            Part::Recipes => {
                let Some(recipes) = recipes_of(payloads) else { break };
                let count = recipes.len();
                recipes.truncate(count / 2);
                left_out.push(format!("the last {} of {count} recipes", count - count / 2));
            }
        }
        size = serde_json::to_vec(payloads)?.len();
    }
    Ok(left_out)
}

fn largest(payloads: &mut Map<String, Value>) -> Result<Option<(usize, Part)>, serde_json::Error> {
    let mut found: Option<(usize, Part)> = None;
    let mut consider = |bytes: usize, part: Part| {
        if found.as_ref().is_none_or(|(most, _)| bytes > *most) {
            found = Some((bytes, part));
        }
    };
    for (source, field) in FREE_FORM {
        let values = payloads.get(source.token()).and_then(|payload| payload[field].as_object());
        for (key, value) in values.into_iter().flatten() {
            let bytes = serde_json::to_vec(value)?.len();
            consider(bytes, Part::Key { source, field, key: key.clone() });
        }
    }
    if let Some(recipes) = recipes_of(payloads).filter(|recipes| !recipes.is_empty()) {
        consider(serde_json::to_vec(recipes)?.len(), Part::Recipes);
    }
    Ok(found)
}

fn recipes_of(payloads: &mut Map<String, Value>) -> Option<&mut Vec<Value>> {
    payloads.get_mut(Source::RecipeIndex.token())?.get_mut("recipes")?.as_array_mut()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn payloads() -> Value {
        let recipe = json!({"identifier": "x".repeat(200), "repo": "r", "path": "p"});
        json!({
            "label_tool": {"label_name": "a", "label_url": "https://example.com/", "raw": {"name": "A"}},
            "cask_catalog": {"token": "a", "entry_json": {
                "version": "1.0", "language": "l".repeat(100_000), "url": "https://example.com/a.dmg",
            }},
            "recipe_index": {"recipes": vec![recipe; 400]},
            "store_listing": null,
            "mdm_installer": null,
        })
    }

    fn fit(only: Option<Source>, max_bytes: usize) -> (Value, Vec<String>) {
        let json = serde_json::to_vec(&payloads()).unwrap();
        let output = fitting(json.into(), only, max_bytes).unwrap();
        assert!(output.json.len() <= max_bytes);
        (serde_json::from_slice(&output.json).unwrap(), output.notes)
    }

    #[test]
    fn the_longest_values_are_left_out_and_named() {
        let (fitted, notes) = fit(None, 512 << 10);
        assert!(fitted.to_string().len() <= TOGETHER);
        assert_eq!(fitted["cask_catalog"]["entry_json"]["version"], "1.0");
        assert_eq!(fitted["cask_catalog"]["entry_json"].get("language"), None);
        assert_eq!(fitted["recipe_index"]["recipes"].as_array().unwrap().len(), 100);
        assert_eq!(fitted["label_tool"], payloads()["label_tool"]);
        assert!(notes[0].contains("cask_catalog.entry_json.language (100002 bytes)"), "{notes:?}");
        assert!(notes[0].contains("the last 200 of 400 recipes"), "{notes:?}");
    }

    #[test]
    fn a_single_payload_is_whole_if_it_fits_into_a_result() {
        let (fitted, notes) = fit(Some(Source::CaskCatalog), 512 << 10);
        assert_eq!(fitted["cask_catalog"], payloads()["cask_catalog"]);
        assert_eq!(fitted["label_tool"], Value::Null);
        assert_eq!(notes, ["Only cask_catalog was asked for; the other keys are null."]);
        let (fitted, _) = fit(Some(Source::CaskCatalog), 5000);
        assert_eq!(fitted["cask_catalog"]["entry_json"].get("language"), None);
    }
}
