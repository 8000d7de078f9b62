//! `POST /apps/{slug}/generate-label`: a label an admin can deploy.

use appstitch_catalog::{
    AppSources, GeneratedLabel, Slug, generate_label, generate_label_fragment,
};

use super::{Problem, get_app, openapi::LabelRefused, problem::ErrorDetail};
use crate::snapshot::Snapshot;

/// Generate an installer label
///
/// Projects the app's source payloads into an installer-label fragment. What no source
/// tells is left out and named in `warnings`. With `Accept: text/x-shellscript` the answer is
/// the same label as a fragment that the label tool can run, with a branch on the architecture
/// where Intel Macs need other values.
#[utoipa::path(
    post,
    path = "/apps/{slug}/generate-label",
    operation_id = "generate_label",
    tag = "labels",
    params(("slug" = String, Path, description = "The app's slug")),
    responses(
        (status = 200, description = "The label", content(
            (GeneratedLabel = "application/json"),
            (String = "text/x-shellscript"),
        )),
        (status = 404, description = "The slug is unknown", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error, or the app has no source detail (`detail` is then a sentence)", body = inline(LabelRefused)),
    )
)]
pub(crate) fn generate(snapshot: &Snapshot, slug: &str) -> Result<GeneratedLabel, Problem> {
    let (slug, sources) = detail(snapshot, slug)?;
    Ok(generate_label(&slug, &sources))
}

/// The same label as shell text.
pub(crate) fn fragment(snapshot: &Snapshot, slug: &str) -> Result<String, Problem> {
    let (slug, sources) = detail(snapshot, slug)?;
    Ok(generate_label_fragment(&slug, &sources))
}

fn detail(snapshot: &Snapshot, slug: &str) -> Result<(Slug, AppSources), Problem> {
    let position = get_app::position(snapshot, slug)?;
    let sources = snapshot.source_detail(position).map_err(|error| {
        tracing::error!(%error, slug, "the sources of an app cannot be read back");
        Problem::Internal
    })?;
    if sources.is_empty() {
        return Err(Problem::NoSourceDetail(slug.to_owned()));
    }
    let slug = Slug::parse(slug).map_err(|_| Problem::UnknownSlug(slug.to_owned()))?;
    Ok((slug, sources))
}
