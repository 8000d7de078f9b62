//! `POST /apps/{slug}/generate-label`: a label an admin can deploy.

use appstitch_catalog::{GeneratedLabel, Slug, generate_label};

use super::{Problem, get_app, openapi::LabelRefused, problem::ErrorDetail};
use crate::snapshot::Snapshot;

/// Generate an installer label
///
/// Projects the app's source payloads into an installer-label fragment. What no source
/// tells is left out and named in `warnings`.
#[utoipa::path(
    post,
    path = "/apps/{slug}/generate-label",
    operation_id = "generate_label",
    tag = "labels",
    params(("slug" = String, Path, description = "The app's slug")),
    responses(
        (status = 200, description = "The label", body = GeneratedLabel),
        (status = 404, description = "The slug is unknown", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error, or the app has no source detail (`detail` is then a sentence)", body = inline(LabelRefused)),
    )
)]
pub(crate) fn generate(snapshot: &Snapshot, slug: &str) -> Result<GeneratedLabel, Problem> {
    let position = get_app::position(snapshot, slug)?;
    let sources = snapshot.source_detail(position).map_err(|error| {
        tracing::error!(%error, slug, "the sources of an app cannot be read back");
        Problem::Internal
    })?;
    if sources.is_empty() {
        return Err(Problem::NoSourceDetail(slug.to_owned()));
    }
    let slug = Slug::parse(slug).map_err(|_| Problem::UnknownSlug(slug.to_owned()))?;
    Ok(generate_label(&slug, &sources))
}
