//! Generated installer labels: a fragment an admin can deploy, made from what the sources say.
//!
//! The parts of a label must fit each other, so type, address and archive name are taken
//! from one origin (see [`origin`]) and never mixed, and what does not fit the download is left
//! out (see [`projection`]). What no source tells is named in a warning. The same label can be
//! had as JSON or as the [`shell`] text that the label tool runs.

pub(crate) mod literal;
pub(crate) mod origin;
mod projection;
mod shell;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{AppSources, LabelToolSource, Slug};
use projection::{Projection, Told};
use shell::Intel;

/// An installer-label fragment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GeneratedLabel {
    /// The label's name: the app's slug.
    pub label_name: String,
    /// Label variable name to value; unresolved variables are omitted. The values are those for
    /// a Mac with Apple silicon.
    #[schema(value_type = Object)]
    pub content: Map<String, Value>,
    /// The sources that contributed.
    pub sources_used: Vec<String>,
    /// What could not be resolved; each starts with the variable's name.
    pub warnings: Vec<String>,
}

/// Projects an app's source payloads into a label.
#[must_use]
pub fn generate_label(slug: &Slug, sources: &AppSources) -> GeneratedLabel {
    GeneratedLabel::of(slug, Told::read(sources).project())
}

/// The same label as shell text: one arm of the label tool's `case`, which can be run as it is.
/// Where an Intel Mac needs other values, there is a branch on the architecture.
#[must_use]
pub fn generate_label_fragment(slug: &Slug, sources: &AppSources) -> String {
    let told = Told::read(sources);
    let made = told.project();
    let intel = match told.read_on_intel(sources) {
        _ if told.needs_apple_silicon(made.download) => Intel::Unsupported,
        None => Intel::Same,
        Some(on_intel) => {
            let other = on_intel.project();
            let refused = on_intel.needs_apple_silicon(other.download);
            if refused { Intel::Unsupported } else { compare(&made, other) }
        }
    };
    // The label's own code: the tool calls it to find the installed version.
    let raw = sources.label_tool.as_ref().map(|label| label.raw.read());
    let function = raw.and_then(|raw| {
        let text = raw.get(LabelToolSource::VERSION_FUNCTION)?.as_str()?;
        shell::is_function(text).then(|| text.to_owned())
    });
    shell::write(&GeneratedLabel::of(slug, made), &intel, function.as_deref())
}

/// What is different on an Intel Mac: every value that the label has there, and has not here.
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
