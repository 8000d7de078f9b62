//! A run as JSON.

use std::collections::BTreeMap;

use appstitch_labels::Step;
use serde::Serialize;

use super::Explained;
use crate::exit::Failure;

#[derive(Serialize)]
struct Document<'e> {
    label: &'e str,
    file: &'e str,
    arch: &'static str,
    steps: Vec<StepObject<'e>>,
    values: BTreeMap<&'e str, ValueObject<'e>>,
    /// Why the label could not be run at all.
    why: Option<String>,
}

#[derive(Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
enum StepObject<'e> {
    Statement {
        text: &'e str,
    },
    Request {
        method: &'e str,
        url: &'e str,
        status: Option<u16>,
        bytes: Option<usize>,
        why: Option<&'e str>,
    },
    Command {
        call: &'e str,
        input: &'e str,
        output: Option<&'e str>,
        status: Option<u8>,
        why: Option<&'e str>,
    },
}

#[derive(Serialize)]
struct ValueObject<'e> {
    value: Option<&'e str>,
    why: Option<String>,
}

pub(super) fn render(explained: &Explained) -> Result<String, Failure> {
    let names = explained.resolved.iter().flat_map(|resolved| resolved.values.keys());
    let names = names.map(String::as_str).chain(["appNewVersion", "downloadURL"]);
    let values = names.map(|name| {
        let value = explained.value(name);
        let why = value.err().map(ToString::to_string);
        (name, ValueObject { value: value.ok(), why })
    });
    let document = Document {
        label: &explained.name,
        file: &explained.file,
        arch: explained.architecture.name(),
        steps: explained.steps.iter().map(StepObject::from).collect(),
        values: values.collect(),
        why: explained.resolved.as_ref().err().map(ToString::to_string),
    };
    let text = serde_json::to_string(&document).map_err(Failure::unreachable)?;
    Ok(format!("{text}\n"))
}

impl<'e> From<&'e Step> for StepObject<'e> {
    fn from(step: &'e Step) -> Self {
        match step {
            Step::Statement(text) => Self::Statement { text },
            Step::Request { method, url, response } => Self::Request {
                method,
                url,
                status: response.as_ref().ok().map(|response| response.status),
                bytes: response.as_ref().ok().map(|response| response.bytes),
                why: response.as_ref().err().map(String::as_str),
            },
            Step::Command { call, input, output, status } => Self::Command {
                call,
                input,
                output: output.as_ref().ok().map(String::as_str),
                status: *status,
                why: output.as_ref().err().map(String::as_str),
            },
        }
    }
}
