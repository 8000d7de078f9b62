//! `GET /changes`: what changed since a point.

use appstitch_catalog::{ChangeKind, ChangesResponse, HttpValidationError, RECORD_FIELDS};
use appstitch_snapshot::{ChangeFilter, ChangesRequest};
use jiff::Timestamp;

use super::query::{Bounds, read_bounded, read_truth, read_word};
use crate::{
    http_error::{ChangesGone, HttpError},
    message::{Asked, FixedField, ReadContext, Reply, fixed_field},
    response::ErrorDetail,
    route::Route,
};

/// The route of this endpoint.
pub(crate) const ROUTE: Route = Route::get::<__path_read>("/changes", read);

/// Up to this many changes are sent at once.
const FEW: usize = 100;

const LIMIT: Bounds = Bounds { least: 1, most: Some(1000), default: 100 };

/// The page ends with the present: ask again each time.
const PRESENT: &FixedField = fixed_field!("cache-control", "no-cache");
/// The page is in the past.
const PAST: &FixedField = fixed_field!("cache-control", "public, max-age=31536000, immutable");

/// List changes
///
/// Returns what changed in the records since a point, field by field, oldest change first. Send `next` of
/// the response as `since` of the next request; an empty page has it, too. Without `since`, the newest
/// changes are returned. The changes of one revision have the same time. Applied in order to the apps as
/// of `since`, they give the apps of today. A change of payloads or provenance is not listed.
#[utoipa::path(
    get,
    path = ROUTE.pattern,
    operation_id = "list_changes",
    tag = "changes",
    params(
        ("since" = Option<String>, Query, description = "Only changes after this point: `next` of an earlier response, the catalog's token (the `ETag` of `/apps`), the number of a change, or a time", example = "2026-11-15T00:00:00Z"),
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
        (status = 304, description = "The client's copy is up to date"),
        (status = 400, description = "`since` is not a point in the past", body = inline(ErrorDetail)),
        (status = 410, description = "The changes since then are not available; read `snapshot`, then follow the changes from there", body = inline(ChangesGone)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
        (status = 503, description = "Another server on the same store gave the position, and this one cannot load it now; try again", body = inline(ErrorDetail)),
    )
)]
pub(crate) fn read(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    let request = read_request(asked.query.unwrap_or_default())?;
    // A filter passes over all changes, and net changes are made from up to five thousand.
    if request.squash || request.limit > FEW || request.filter != ChangeFilter::default() {
        context.begin_work()?;
    }
    let answer = context.snapshot.changes(&request, Timestamp::now()).map_err(|error| {
        let since = request.since.as_deref().unwrap_or_default();
        let is_ahead = context.snapshot.journal().may_come(since);
        if is_ahead { HttpError::Ahead(error) } else { HttpError::Since(error) }
    })?;
    Ok(Reply::Versioned {
        token: answer.tag,
        cache_control: if answer.is_final { PAST } else { PRESENT },
        body: answer.body.into(),
    })
}

/// The parameters; of a repeated one the last is used. Every invalid one has its own entry.
fn read_request(query: &str) -> Result<ChangesRequest, HttpError> {
    let mut request = ChangesRequest::default();
    let (mut limit, mut kind, mut squash) = (None, None, None);
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let filter = &mut request.filter;
        let parameter = match &*name {
            "since" => &mut request.since,
            "vendor" => &mut filter.vendor,
            "slug" => &mut filter.slug,
            "field" => &mut filter.field,
            "limit" => &mut limit,
            "kind" => &mut kind,
            "squash" => &mut squash,
            _ => continue,
        };
        *parameter = Some(value.into_owned());
    }
    let limit = read_bounded("limit", limit.as_deref(), LIMIT);
    let kind = read_word("kind", kind.as_deref(), &ChangeKind::ALL.map(ChangeKind::word));
    let field = read_word("field", request.filter.field.as_deref(), &RECORD_FIELDS);
    let squash = read_truth("squash", squash.as_deref());
    match (limit, kind, field, squash) {
        (Ok(limit), Ok(kind), Ok(_), Ok(squash)) => {
            let kind = kind.and_then(ChangeKind::from_word);
            let filter = ChangeFilter { kind, ..request.filter };
            let squash = squash.unwrap_or_default();
            Ok(ChangesRequest { limit, filter, squash, ..request })
        }
        (limit, kind, field, squash) => {
            let faults = [limit.err(), kind.err(), field.err(), squash.err()];
            let faults = faults.into_iter().flatten().map(|fault| *fault).collect();
            Err(HttpError::Invalid(faults))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_or_told_by_name() {
        let request =
            read_request("since=2026-08-22T00%3A00%3A00Z&kind=added&squash=1&limit=7&x=y")
                .ok()
                .unwrap();
        assert_eq!(request.since.as_deref(), Some("2026-08-22T00:00:00Z"));
        assert_eq!((request.limit, request.squash), (7, true));
        assert_eq!(request.filter.kind, Some(ChangeKind::Added));
        assert_eq!(read_request("").ok().unwrap().limit, 100);
        let faults = read_request("limit=0&kind=new&field=versions&squash=maybe");
        let Err(HttpError::Invalid(faults)) = faults else { panic!("not refused") };
        let kinds: Vec<&str> = faults.iter().map(|fault| fault.kind.as_str()).collect();
        assert_eq!(kinds, ["greater_than_equal", "literal_error", "literal_error", "bool_parsing"]);
    }
}
