//! `GET /changes`: what changed since a point.

use std::borrow::Cow;

use appstitch_snapshot::{ChangeFilter, ChangesRequest};
use appstitch_types::{ChangeKind, ChangesResponse, HttpValidationError, RECORD_FIELDS};
use jiff::Timestamp;

use crate::{
    http_error::{ChangesGone, HttpError},
    message::{
        EndpointResult, FixedField, JSON, ReadContext, ReadRequest, Representation, Wait,
        fixed_field,
    },
    query::{Bounds, Faults, parameters, read_bounded, read_truth, read_word},
    response::ErrorDetail,
    route::{Export, Exported, Route},
};

pub(crate) const ROUTE: Route =
    Route::get("/changes", read, Export::Each(Exported::BothForms, "changes.{}"))
        .journal()
        .documented::<__path_read>();

/// Up to this many changes are sent at once.
const FEW: usize = 100;

const LIMIT: Bounds = Bounds { least: 1, most: Some(1000), default: 100 };

/// The page ends with the present: ask again each time.
const PRESENT: &FixedField = fixed_field!("cache-control", "no-cache");
const PAST: &FixedField = fixed_field!("cache-control", "public, max-age=31536000, immutable");

parameters! { ChangesQuery { since, limit, vendor, slug, kind, field, squash } }

/// List changes
///
/// Returns what changed in the records since a point, field by field, oldest change first. Send `next` of
/// the response as `since` of the next request; an empty page has it, too. Without `since`, the newest
/// changes are returned. The changes of one revision have the same time. Applied in order to the apps as
/// of `since`, they give the apps of today. A change of payloads or provenance is not listed.
#[utoipa::path(
    get,
    path = ROUTE.path,
    operation_id = "list_changes",
    tag = "changes",
    params(
        ("since" = Option<String>, Query, description = "Only changes after this point: `next` of an earlier response, the catalog's token (the `ETag` of `/apps`), the number of a change, a time, a day, `yesterday`, or how long ago, such as `2d` or `12h`", example = "2026-11-15T00:00:00Z"),
        ("limit" = inline(Option<super::paging::Limit>), Query, description = "Maximum number of changes to return", example = 100),
        ("vendor" = Option<String>, Query, description = "Only changes of this vendor's apps (case-insensitive)", example = "Mozilla"),
        ("slug" = Option<String>, Query, description = "Only changes of this app", example = "firefoxpkg"),
        ("kind" = inline(Option<ChangeKind>), Query, description = "Only changes of this kind", example = "changed"),
        ("field" = Option<String>, Query, description = "Only changes of this field", example = "current_version"),
        ("squash" = Option<bool>, Query, description = "One change per app, from its first value to its last. What was undone is left out. The changes of a page count as one step", example = false),
    ),
    responses(
        (status = 200, description = "A page of changes", body = ChangesResponse, headers(
            ("etag" = String, description = "Changes with the page"),
            ("cache-control" = String, description = "`immutable` if the page can never change"),
        )),
        (status = 400, description = "`since` is not a point in the past", body = inline(ErrorDetail)),
        (status = 410, description = "The changes since then are not available; read `snapshot`, then follow the changes from there", body = inline(ChangesGone)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
        (status = 503, description = "Another server on the same store gave the position, and this one cannot load it now; try again", body = inline(ErrorDetail)),
    )
)]
pub(crate) fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let query = read_request(request.query)?;
    // A filter passes over all changes, and net changes are made from up to five thousand.
    if query.squash || query.limit > FEW || query.filter != ChangeFilter::default() {
        context.begin_work()?;
    }
    let response = context.snapshot.changes(&query, Timestamp::now()).map_err(|error| {
        let since = query.since.as_deref().unwrap_or_default();
        match context.attempt.waited {
            _ if !context.snapshot.journal().may_come(since) => HttpError::Since(error),
            None => HttpError::Wait(Wait::CatchUp),
            Some(false) => HttpError::NotYet,
            Some(true) => HttpError::Since(error),
        }
    })?;
    Ok(Representation::Versioned {
        content_type: JSON,
        token: response.tag,
        cache_control: if response.is_final { PAST } else { PRESENT },
        body: response.body.into(),
    })
}

fn read_request(query: Option<&str>) -> Result<ChangesRequest, HttpError> {
    let query = ChangesQuery::read(query);
    let mut faults = Faults::default();
    let limit = faults.check(read_bounded("limit", query.limit.as_deref(), LIMIT));
    let kinds = ChangeKind::ALL.map(ChangeKind::word);
    let kind = faults.check(read_word("kind", query.kind.as_deref(), &kinds));
    let field = faults.check(read_word("field", query.field.as_deref(), &RECORD_FIELDS));
    let squash = faults.check(read_truth("squash", query.squash.as_deref()));
    faults.none()?;
    Ok(ChangesRequest {
        limit,
        squash: squash.unwrap_or_default(),
        filter: ChangeFilter {
            kind: kind.and_then(ChangeKind::from_word),
            field: field.map(str::to_owned),
            vendor: query.vendor.map(Cow::into_owned),
            slug: query.slug.map(Cow::into_owned),
        },
        since: query.since.map(Cow::into_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_or_told_by_name() {
        let query =
            read_request(Some("since=2026-08-22T00%3A00%3A00Z&kind=added&squash=1&limit=7&x=y"))
                .ok()
                .unwrap();
        assert_eq!(query.since.as_deref(), Some("2026-08-22T00:00:00Z"));
        assert_eq!((query.limit, query.squash), (7, true));
        assert_eq!(query.filter.kind, Some(ChangeKind::Added));
        assert_eq!(read_request(None).ok().unwrap().limit, 100);
        let faults = read_request(Some("limit=0&kind=new&field=versions&squash=maybe"));
        let Err(HttpError::Invalid(faults)) = faults else { panic!("not refused") };
        let kinds: Vec<&str> = faults.iter().map(|fault| fault.kind.as_str()).collect();
        assert_eq!(kinds, ["greater_than_equal", "literal_error", "literal_error", "bool_parsing"]);
    }
}
