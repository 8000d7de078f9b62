//! Generated installer labels: fragments for deployment, built from an app's sources.
//!
//! The values of a label must be consistent. Type, URL and archive name therefore come from one
//! origin (see `origin`), and values that do not match the download are omitted (see
//! `projection`). Each missing value has a warning. A label is available as JSON and as
//! shell text for the label tool.

mod app_name;
mod content;
mod departure;
mod download_variables;
pub(crate) mod function;
pub mod literal;
mod no_type;
mod offered_version;
pub(crate) mod origin;
mod projection;
mod redirect;
mod shell;
pub(crate) mod stated_version;
mod variable;

use appstitch_types::{App, AppSources, GeneratedLabel, Slug};
use content::{Projection, VERSION};
use function::VersionFunction;
use projection::{IntelValues, LabelInputs};
use serde_json::{Map, Value};
use shell::Intel;

use crate::parsed_sources::ParsedSources;

pub fn generate_label(app: &App, parsed: &ParsedSources<'_>) -> GeneratedLabel {
    let arguments = projection::arguments(parsed.sources);
    let inputs = LabelInputs::of(app, parsed, arguments.as_ref());
    let mut label = to_label(&app.slug, inputs.project());
    let function = version_function(parsed.sources, &label.content);
    label.warnings.extend(function.as_ref().and_then(VersionFunction::warning));
    label
}

/// Generates the label as shell text: one arm of the label tool's `case`, ready to run. If an
/// Intel Mac needs different values, the text branches on the architecture.
pub fn generate_label_fragment(app: &App, parsed: &ParsedSources<'_>) -> String {
    let arguments = projection::arguments(parsed.sources);
    let inputs = LabelInputs::of(app, parsed, arguments.as_ref());
    let made = inputs.project();
    let exits = parsed.label.as_ref().is_some_and(|label| label.exits_on_intel);
    let intel = match IntelValues::of(parsed) {
        _ if exits || inputs.needs_apple_silicon(made.download) => Intel::Unsupported,
        None => Intel::Same,
        Some(values) => {
            let on_intel = inputs.on_intel(&values);
            let other = on_intel.project();
            let refused = on_intel.needs_apple_silicon(other.download);
            if refused { Intel::Unsupported } else { compare(&made, other) }
        }
    };
    let function = version_function(parsed.sources, &made.content);
    let mut label = to_label(&app.slug, made);
    label.warnings.extend(function.as_ref().and_then(VersionFunction::warning));
    shell::write(&label, &intel, function.as_ref().and_then(VersionFunction::text))
}

fn version_function(sources: &AppSources, content: &Map<String, Value>) -> Option<VersionFunction> {
    VersionFunction::read(&sources.label_tool.as_ref()?.raw, content)
}

/// The variables that differ on an Intel Mac; null if a variable has no value there.
fn compare(silicon: &Projection, mut intel: Projection) -> Intel {
    if silicon.download.is_some() && intel.download.is_none() {
        return Intel::Unsupported;
    }
    // A release has the same number on every Mac, and so has a universal file.
    if intel.is_same_release(silicon)
        && let Some(version) = silicon.content.get(VERSION)
    {
        intel.content.insert(VERSION.to_owned(), version.clone());
    }
    let mut different = intel.content;
    let only_here = silicon.content.keys().filter(|name| !different.contains_key(*name));
    let only_here: Vec<(String, Value)> =
        only_here.map(|name| (name.clone(), Value::Null)).collect();
    different.retain(|name, value| silicon.content.get(name) != Some(value));
    different.extend(only_here);
    if different.is_empty() { Intel::Same } else { Intel::Different(different) }
}

fn to_label(slug: &Slug, made: Projection) -> GeneratedLabel {
    GeneratedLabel {
        label_name: slug.to_string(),
        content: made.content,
        sources_used: made.used.iter().map(|source| source.token().to_owned()).collect(),
        warnings: made.warnings,
    }
}

#[cfg(test)]
mod tests;
