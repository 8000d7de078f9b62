//! The labels that are generated for a record are labels.

use appstitch_labels::Label;
use appstitch_stitching::{ParsedSources, generate_label_fragment};
use appstitch_types::{App, AppSources};

use crate::target::ensure;

pub(super) fn check(app: &App, sources: &AppSources) -> Result<(), String> {
    let text = generate_label_fragment(app, &ParsedSources::of(sources));
    let mut lines = text.lines().map(str::trim).skip(1);
    if lines.all(|line| matches!(line, "" | ";;") || line.starts_with('#')) {
        // Nothing is known about the app. A label needs a statement.
        return Ok(());
    }
    let label = Label::parse(&text)
        .map_err(|stopped| format!("a generated label is a label: {stopped}: {text}"))?;
    // A slug with capital letters is followed by its usual spelling.
    ensure(label.names.first().map(String::as_str) == Some(app.slug.as_str()), || {
        format!("a generated label has the slug as its name: {:?}: {text}", label.names)
    })
}
