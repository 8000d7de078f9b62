//! The public HTTP interface: one file per endpoint, one route table, one place where
//! errors become answers.

mod answer;
mod app_drift;
mod app_provenance;
pub(crate) mod app_sources;
mod body;
mod condition;
mod docs;
mod fields;
pub(crate) mod generate_label;
pub(crate) mod get_app;
mod health;
mod list_apps;
mod list_drift;
mod negotiate;
mod openapi;
mod paging;
mod problem;
mod query;
mod route;
mod router;
mod split;
mod stats;
mod title_codes;

pub use openapi::document as openapi_document;

pub(crate) use answer::{
    Asked, Ready, add_answer_fields, add_catalog_fields, add_public_fields, finish, preflight,
    ready, ready_now, respond,
};
pub(crate) use body::{Payload, ReadyBody, ServerBody, let_it_finish};
pub(crate) use fields::{FieldSink, Fields};
pub(crate) use list_drift::page as drift_page;
pub(crate) use openapi::Document;
pub(crate) use paging::PageRequest;
pub(crate) use problem::{Problem, detail, json};
pub(crate) use route::{Found, Route, is_public_path};
pub(crate) use router::router;
pub(crate) use split::split_first;

use crate::snapshot::{Resource, Snapshot};

/// The resource that a GET below `/apps` names.
///
/// Both the shortcut and the router come through here, so they cannot disagree.
pub(crate) fn find_resource(
    snapshot: &Snapshot,
    found: &Found<'_>,
    query: Option<&str>,
) -> Result<Resource, Problem> {
    match found.route {
        Route::ListApps => list_apps::find(snapshot, query),
        Route::ListDrift => list_drift::find(snapshot, query),
        Route::TitleCodes => Ok(title_codes::find()),
        Route::GetApp => get_app::find(snapshot, &found.slug()),
        Route::AppSources => app_sources::find(snapshot, &found.slug()),
        Route::AppDrift => app_drift::find(snapshot, &found.slug()),
        Route::AppProvenance => app_provenance::find(snapshot, &found.slug()),
        _ => Err(Problem::NotFound),
    }
}
