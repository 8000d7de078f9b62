//! One line of an upload of resolved labels.

use appstitch_sources::{
    CLOCK_TOLERANCE,
    label_tool::{RunValues, fingerprint},
};
use appstitch_text::{check_found_address, check_found_version};
use appstitch_types::FoundBy;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The result of running one label: a line of `POST /admin/labels/resolved`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ResolvedLabel {
    /// The label: any of its names.
    pub label: String,
    /// Whether the run succeeded. A failed run changes nothing.
    pub ok: bool,
    /// The values on a Mac with Apple silicon.
    #[serde(flatten)]
    pub values: ResolvedValues,
    /// Who ran the label: `run` for a run of this program; `posted` by default.
    pub found_by: FoundBy,
    /// When the label was run; the time of the upload by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_at: Option<Timestamp>,
    /// The fingerprint of the text that was run. A line for another text is rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fragment: Option<String>,
    /// The values on an Intel Mac, if the label was run for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub i386: Option<ResolvedValues>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ResolvedValues {
    #[serde(rename = "downloadURL", skip_serializing_if = "Option::is_none")]
    pub download_url: Option<String>,
    #[serde(rename = "appNewVersion", skip_serializing_if = "Option::is_none")]
    pub app_new_version: Option<String>,
}

/// A line whose values can be stored.
pub(super) struct CheckedLine {
    pub(super) found_by: FoundBy,
    pub(super) found_at: Timestamp,
    pub(super) run: RunValues,
    pub(super) i386: Option<RunValues>,
    /// Why values were left out.
    pub(super) problems: Vec<String>,
}

/// Reads a line; the error says in plain words which value is wrong.
pub(super) fn parse(line: &[u8]) -> Result<ResolvedLabel, String> {
    match serde_json::from_slice(line) {
        Ok(Value::Object(fields)) => ResolvedLabel::of_fields(&fields),
        Ok(_) => Err("the line is not a JSON object".to_owned()),
        Err(_) => Err("the line is not valid JSON".to_owned()),
    }
}

impl ResolvedLabel {
    fn of_fields(fields: &Map<String, Value>) -> Result<Self, String> {
        let label = text(fields, "label", "")?.ok_or("label is missing")?;
        let ok = match fields.get("ok") {
            Some(Value::Bool(ok)) => *ok,
            None => return Err("ok is missing, expected true or false".to_owned()),
            Some(other) => return Err(unexpected("ok", other, "true or false")),
        };
        let found_by = match fields.get("found_by") {
            None => FoundBy::default(),
            Some(name) => FoundBy::deserialize(name)
                .map_err(|_| unexpected("found_by", name, "'run' or 'posted'"))?,
        };
        let found_at = match fields.get("found_at") {
            None | Some(Value::Null) => None,
            Some(time) => Some(Timestamp::deserialize(time).map_err(|_| {
                unexpected("found_at", time, "a time such as 2026-01-31T12:00:00Z")
            })?),
        };
        let i386 = match fields.get("i386") {
            None | Some(Value::Null) => None,
            Some(Value::Object(values)) => Some(ResolvedValues::of_fields(values, "i386.")?),
            Some(other) => return Err(unexpected("i386", other, "an object")),
        };
        Ok(Self {
            label,
            ok,
            values: ResolvedValues::of_fields(fields, "")?,
            found_by,
            found_at,
            fragment: text(fields, "fragment", "")?,
            i386,
        })
    }
}

impl ResolvedValues {
    fn of_fields(fields: &Map<String, Value>, prefix: &str) -> Result<Self, String> {
        Ok(Self {
            download_url: text(fields, "downloadURL", prefix)?,
            app_new_version: text(fields, "appNewVersion", prefix)?,
        })
    }
}

/// The text of a field; `None` if the field is missing or null.
fn text(fields: &Map<String, Value>, name: &str, prefix: &str) -> Result<Option<String>, String> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(unexpected(&format!("{prefix}{name}"), other, "a string")),
    }
}

fn unexpected(name: &str, value: &Value, expected: &str) -> String {
    let shown = match value {
        Value::String(text) => format!("'{}'", text.chars().take(60).collect::<String>()),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    };
    format!("{name} is {shown}, expected {expected}")
}

impl CheckedLine {
    /// Checks a line for the label with this text; an error if nothing of it can be used.
    pub(super) fn check(line: &ResolvedLabel, text: &str, now: Timestamp) -> Result<Self, String> {
        if !line.ok {
            return Err("the run failed; the stored values are kept".to_owned());
        }
        if line.found_by == FoundBy::Tracker {
            return Err("found_by is 'tracker', expected 'run' or 'posted'; upload the tracker's \
                        archive as label_versions"
                .to_owned());
        }
        if line.fragment.as_ref().is_some_and(|fragment| *fragment != fingerprint(text)) {
            return Err("another text of the label was run; run the stored one".to_owned());
        }
        let found_at = line.found_at.unwrap_or(now);
        if found_at.duration_since(now) > CLOCK_TOLERANCE {
            return Err(format!("found_at {found_at} is in the future"));
        }
        let mut problems = Vec::new();
        let run = checked(&line.values, "", &mut problems);
        if run == RunValues::default() {
            let why = if problems.is_empty() {
                "neither downloadURL nor appNewVersion is given".to_owned()
            } else {
                problems.join("; ")
            };
            return Err(why);
        }
        let i386 = line.i386.as_ref().map(|values| checked(values, "i386.", &mut problems));
        // Served times have whole seconds.
        let found_at = Timestamp::from_second(found_at.as_second()).unwrap_or(found_at);
        Ok(Self { found_by: line.found_by, found_at, run, i386, problems })
    }
}

/// The values that are no junk. An empty value was not found, which is no problem.
fn checked(values: &ResolvedValues, prefix: &str, problems: &mut Vec<String>) -> RunValues {
    let mut keep =
        |name: &str, value: &Option<String>, check: fn(&str) -> Result<String, String>| {
            let value = value.as_deref().filter(|value| !value.trim().is_empty())?;
            check(value)
                .map_err(|why| {
                    let shown: String = value.trim().chars().take(60).collect();
                    problems.push(format!("{prefix}{name} {shown:?} is rejected: {why}"));
                })
                .ok()
        };
    RunValues {
        download_url: keep("downloadURL", &values.download_url, |url| {
            check_found_address(url).map(|_| url.trim().to_owned()).map_err(|junk| junk.to_string())
        }),
        app_new_version: keep("appNewVersion", &values.app_new_version, |version| {
            check_found_version(version).map(str::to_owned).map_err(|junk| junk.to_string())
        }),
    }
}
