//! Generated installer labels: fragments for deployment, built from an app's sources.
//!
//! The values of a label must be consistent. Type, URL and archive name therefore come from one
//! origin (see [`origin`]), and values that do not match the download are omitted (see
//! [`projection`]). Each missing value has a warning. A label is available as JSON and as
//! [`shell`] text for the label tool.

mod app_name;
pub(crate) mod function;
pub(crate) mod literal;
pub(crate) mod origin;
mod own_download;
mod projection;
mod shell;
mod variable;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{AppSources, ParsedSources, Slug};
use function::VersionFunction;
use projection::{IntelValues, LabelInputs, Projection};
use shell::Intel;

/// An installer-label fragment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GeneratedLabel {
    /// The label's name: the app's slug.
    pub label_name: String,
    /// The label's variables; unresolved variables are omitted. The values apply to Macs with Apple
    /// silicon.
    #[schema(value_type = Object)]
    pub content: Map<String, Value>,
    /// The sources that contributed.
    pub sources_used: Vec<String>,
    /// Warnings, for example about unresolved variables; each starts with the variable's name.
    pub warnings: Vec<String>,
}

/// Generates a label from an app's source payloads.
#[must_use]
pub fn generate_label(slug: &Slug, parsed: &ParsedSources<'_>) -> GeneratedLabel {
    let arguments = projection::arguments(parsed.sources);
    let mut label = GeneratedLabel::of(slug, LabelInputs::of(parsed, arguments.as_ref()).project());
    let function = version_function(parsed.sources, &label.content);
    label.warnings.extend(function.as_ref().and_then(VersionFunction::warning));
    label
}

/// Generates the label as shell text: one arm of the label tool's `case`, ready to run. If an
/// Intel Mac needs different values, the text branches on the architecture.
#[must_use]
pub fn generate_label_fragment(slug: &Slug, parsed: &ParsedSources<'_>) -> String {
    let arguments = projection::arguments(parsed.sources);
    let told = LabelInputs::of(parsed, arguments.as_ref());
    let made = told.project();
    let intel = match IntelValues::of(parsed) {
        _ if told.needs_apple_silicon(made.download) => Intel::Unsupported,
        None => Intel::Same,
        Some(values) => {
            let on_intel = told.on_intel(&values);
            let other = on_intel.project();
            let refused = on_intel.needs_apple_silicon(other.download);
            if refused { Intel::Unsupported } else { compare(&made, other) }
        }
    };
    let function = version_function(parsed.sources, &made.content);
    let mut label = GeneratedLabel::of(slug, made);
    label.warnings.extend(function.as_ref().and_then(VersionFunction::warning));
    shell::write(&label, &intel, function.as_ref().and_then(VersionFunction::text))
}

fn version_function(sources: &AppSources, content: &Map<String, Value>) -> Option<VersionFunction> {
    VersionFunction::read(&sources.label_tool.as_ref()?.raw, content)
}

/// The variables that differ on an Intel Mac; null if a variable has no value there.
fn compare(silicon: &Projection, intel: Projection) -> Intel {
    if silicon.download.is_some() && intel.download.is_none() {
        return Intel::Unsupported;
    }
    let mut different = intel.content;
    let only_here = silicon.content.keys().filter(|name| !different.contains_key(*name));
    let only_here: Vec<(String, Value)> =
        only_here.map(|name| (name.clone(), Value::Null)).collect();
    different.retain(|name, value| silicon.content.get(name) != Some(value));
    different.extend(only_here);
    if different.is_empty() { Intel::Same } else { Intel::Different(different) }
}

impl GeneratedLabel {
    fn of(slug: &Slug, made: Projection) -> Self {
        Self {
            label_name: slug.to_string(),
            content: made.content,
            sources_used: made.used.iter().map(|source| source.token().to_owned()).collect(),
            warnings: made.warnings,
        }
    }
}

#[cfg(test)]
mod tests;
