//! `GET /a/{slug}`: the page of an app, and the files that it offers.

use appstitch_exports::ExportFormat;
use appstitch_pages::{AppFile, Problem, app_page};
use axum::http::StatusCode;

use super::{
    HTML, NO_SNIFFING, REVALIDATE, VARY_ENCODING, existing, not_found, page, problem, site,
    with_status,
};
use crate::{
    message::{
        DocumentKind, EndpointResult, FixedField, ReadContext, ReadRequest, Representation,
        decode_segment, fixed_field,
    },
    route::{Export, Exported, Route},
};

pub(crate) const ROUTE: Route =
    Route::get("/a/{slug}", read, Export::Each(Exported::Apps, "a/{}/@index.html"));
pub(crate) const FILE_ROUTE: Route =
    Route::get("/a/{slug}/{file}", read_file, Export::Each(Exported::AppFiles, "a/{}/{}"));

/// Files are saved, never shown: a label is a program.
const SAVED: &[&FixedField] =
    &[REVALIDATE, VARY_ENCODING, NO_SNIFFING, fixed_field!("content-disposition", "attachment")];
const LABEL: DocumentKind = DocumentKind {
    content_type: fixed_field!("content-type", "text/x-shellscript; charset=utf-8"),
    fields: SAVED,
};
const TEXT: DocumentKind = DocumentKind {
    content_type: fixed_field!("content-type", "text/plain; charset=utf-8"),
    fields: SAVED,
};

fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let slug = context.slug();
    match context.snapshot.find(&slug) {
        Ok(position) => {
            page(context, request, &app_page(&slug), |site| appstitch_pages::app(site, position))
        }
        Err(_) => elsewhere(context, request, &slug),
    }
}

/// The response for a slug that no app has: the app that has it as another name, or a search for it.
fn elsewhere(context: &ReadContext<'_>, request: &ReadRequest<'_>, name: &str) -> EndpointResult {
    if let Some(slug) = context.snapshot.canonical_slug(name) {
        return Ok(Representation::Moved(app_page(slug)));
    }
    context.begin_work()?;
    let found = appstitch_pages::former_app(&site(context.parts, context.snapshot), name);
    if let Ok(Some(page)) = found {
        return with_status(context, request, &HTML, StatusCode::GONE, request.path, |_| Ok(page));
    }
    let title = "App not found";
    let text = "No app in the catalog has this name.";
    let about = Problem { title, text, wanted: Some(name) };
    problem(context, request, &HTML, StatusCode::NOT_FOUND, about)
}

fn read_file(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let Some(file) = AppFile::of(&context.slug()) else {
        return not_found::answer(context, request);
    };
    // The route leaves two segments open, and the context has the last one.
    let slug = decode_segment(request.path.split('/').nth(2).unwrap_or_default());
    let position = context.snapshot.find(&slug)?;
    let is_script = matches!(
        file,
        AppFile::Label
            | AppFile::Export(ExportFormat::IntunePreinstall | ExportFormat::IntunePostinstall)
    );
    let kind = if is_script { &LABEL } else { &TEXT };
    existing(context, request, kind, request.path, |site| {
        appstitch_pages::app_file(site, position, file)
    })
}
