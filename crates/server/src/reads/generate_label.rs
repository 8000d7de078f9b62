//! `POST /apps/{slug}/generate-label`: a label an admin can deploy.

use appstitch_snapshot::LabelForm;
use appstitch_types::{GeneratedLabel, HttpValidationError};
use serde::Serialize;
use utoipa::ToSchema;

use super::negotiate::prefers;
use crate::{
    message::{
        EndpointResult, FixedField, JSON, ReadContext, ReadRequest, Representation, fixed_field,
    },
    response::ErrorDetail,
    route::{Export, Route},
};

pub(crate) const ROUTE: Route =
    Route::post("/apps/{slug}/generate-label", read, Export::LiveOnly("it is made on demand"))
        .catalog()
        .documented::<__path_read>();

/// The media type of a label as shell text, as clients name it and as it is sent.
const SHELL: &str = "text/x-shellscript";
const SHELL_TEXT: &FixedField = fixed_field!("content-type", "text/x-shellscript; charset=utf-8");

/// Generate an installer label
///
/// Generates an installer label from the app's source payloads. Variables that no source provides
/// are omitted and listed in `warnings`. With `Accept: text/x-shellscript`, the response is a shell
/// fragment that Installomator can run, with a branch on the architecture if Intel Macs need
/// different values.
#[utoipa::path(
    post,
    path = ROUTE.path,
    operation_id = "generate_label",
    tag = "labels",
    params(("slug" = String, Path, description = "The app's slug", example = "firefoxpkg")),
    responses(
        (status = 200, description = "The label", content(
            (GeneratedLabel = "application/json"),
            (String = "text/x-shellscript", example = "firefoxpkg)\n    name=\"Firefox\"\n    type=\"pkg\"\n    ;;\n"),
        )),
        (status = 404, description = "Unknown slug", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error, or the app has no source detail (`detail` is then a sentence)", body = inline(LabelError), example = json!({"detail": "App 'firefoxpkg' has no source detail, cannot generate a label"})),
    )
)]
fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let (snapshot, slug) = (context.snapshot, context.slug());
    let (content_type, form) = if prefers(request.accept.text(), SHELL, JSON.value) {
        (SHELL_TEXT, LabelForm::Shell)
    } else {
        (JSON, LabelForm::Json)
    };
    let body = if let Some(kept) = snapshot.cached_label(&slug, form)? {
        kept
    } else {
        context.begin_work()?;
        snapshot.generated_label(&slug, form)?
    };
    Ok(Representation::Body { content_type, about: Some(fixed_field!("vary", "accept")), body })
}

/// The body of a 422 answer to a label request.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum LabelError {
    /// Invalid parameters.
    Validation(HttpValidationError),
    /// The app has no source detail.
    NoDetail {
        /// What is wrong.
        detail: String,
    },
}
