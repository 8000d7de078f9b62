//! `GET /catalog/…`: the catalog as signed files that can be carried to mirrors.

use std::sync::Arc;

use appstitch_catalog_files::CatalogFiles;

use super::condition::tag_of;
use crate::{
    http_error::HttpError,
    message::{
        EndpointResult, FixedField, JSON, ReadContext, ReadRequest, Representation, Wait,
        decode_segment, fixed_field,
    },
    pages::{FOREVER, REVALIDATE},
    response::ErrorDetail,
    route::{Export, Exported, Route},
};

pub(crate) const INDEX_ROUTE: Route = Route::get(
    "/catalog/index.json",
    index,
    Export::Each(Exported::CatalogIndex, "catalog/index.json"),
)
.journal()
.documented::<__path_index>();
pub(crate) const SIGNATURE_ROUTE: Route = Route::get(
    "/catalog/{file}",
    signature,
    Export::Each(Exported::CatalogSignatures, "catalog/{}"),
)
.journal()
.documented::<__path_signature>();
pub(crate) const FILE_ROUTE: Route = Route::get(
    "/catalog/{revision}/{file}",
    file,
    Export::Each(Exported::CatalogFiles, "catalog/{}/{}"),
)
.journal()
.documented::<__path_file>();

const TEXT: &FixedField = fixed_field!("content-type", "text/plain; charset=utf-8");
const ZSTD: &FixedField = fixed_field!("content-type", "application/zstd");
const GZIP: &FixedField = fixed_field!("content-type", "application/gzip");

const NOTHING: HttpError = HttpError::NoCatalogFile("Nothing has been published yet");
const UNSIGNED: HttpError = HttpError::NoCatalogFile("This catalog is not signed");
const UNKNOWN_KEY: HttpError = HttpError::NoCatalogFile("The catalog is not signed with this key");
const NOT_KEPT: HttpError = HttpError::NoCatalogFile(
    "The files of this revision are not available; start again with /catalog/index.json",
);

/// Get the index of the catalog's files
///
/// The whole catalog can be downloaded as one file, and updated with small ones. The index is what is signed: it names
/// the newest revision and every file of it by its size and SHA-256 hash. Paths are below `/catalog/`.
#[utoipa::path(
    get,
    path = INDEX_ROUTE.path,
    operation_id = "get_catalog_index",
    tag = "catalog files",
    responses(
        (status = 200, description = "The index", body = Object, headers(("etag" = String, description = "Changes with the index")), example = json!({
            "schema": 1,
            "catalog": "3f9a2c71",
            "serial": 1_787_427_064_u64,
            "revision": "20260822T193104Z-0a14e3052f33",
            "at": "2026-08-22T19:31:04Z",
            "apps": 5273,
            "snapshot": {"path": "20260822T193104Z-0a14e3052f33/catalog.ndjson.zst", "size": 390_412, "sha256": "1f3a7c0e5b9d2468ace013579bdf02468ace13579bdf02468ace13579bdf0246", "raw_size": 2_026_907, "raw_sha256": "9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab"},
            "with_sources": {"path": "20260822T193104Z-0a14e3052f33/with-sources.ndjson.zst", "size": 2_410_733, "sha256": "4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865", "raw_size": 27_119_026, "raw_sha256": "53c234e5e8472b6ac51c1ae1cab3fe06fad053beb8ebfd8977b010655bfdd3c3"},
            "snapshot_gzip": {"path": "20260822T193104Z-0a14e3052f33/catalog.ndjson.gz", "size": 458_115, "sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae", "raw_size": 2_026_907, "raw_sha256": "9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab"},
            "deltas": [{"from": "20260821T193015Z-5ff4f93bff9c", "path": "20260822T193104Z-0a14e3052f33/from-20260821T193015Z-5ff4f93bff9c.ndjson.zst", "size": 6824, "sha256": "fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9", "raw_size": 31_770, "raw_sha256": "baa5a0964d3320fbc0c6a922140453c8513ea24ab8fd0577034804a967248096"}],
            "licences": [{"source": "cask_catalog", "licence": "BSD-2-Clause"}],
            "next_key": null
        })),
        (status = 404, description = "Nothing has been published yet", body = inline(ErrorDetail)),
    )
)]
fn index(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    let files = newest(context)?;
    Ok(revalidated(JSON, files.index_bytes()))
}

/// Get the signature of the index, or the public key
///
/// Both are files in the format of minisign, so `minisign -Vm index.json -p key.pub` verifies the index.
#[utoipa::path(
    get,
    path = SIGNATURE_ROUTE.path,
    operation_id = "get_catalog_signature",
    tag = "catalog files",
    params(("file" = String, Path, description = "`index.json.minisig`, `key.pub`, or while keys change `index.json.{key}.minisig` for each key", example = "index.json.minisig")),
    responses(
        (status = 200, description = "The file", content((String = "text/plain", example = "untrusted comment: minisign public key 3EE099C6D7C570E6\nRWTmcMXXxpngPkDfs/NGOa9vqXN4Dyxhu3qucTXZ2mOyIjVlNcIa9BrW\n")), headers(("etag" = String, description = "Changes with the file"))),
        (status = 404, description = "The catalog is not signed, or there is no such file", body = inline(ErrorDetail)),
    )
)]
fn signature(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    let name = context.slug();
    let key = name.strip_prefix("index.json.").and_then(|rest| rest.strip_suffix(".minisig"));
    if key.is_none() && !matches!(&*name, "index.json.minisig" | "key.pub") {
        return Err(HttpError::NotFound);
    }
    let parts = context.parts;
    let may_be_signed = match parts.publisher.received() {
        Some(received) => received.is_signed(),
        None => parts.catalog.keys().next().is_some(),
    };
    if !may_be_signed {
        return Err(UNSIGNED);
    }
    let files = newest(context)?;
    if !files.is_signed() {
        return Err(UNSIGNED);
    }
    let found = files.beside_index().iter().find(|(known, _)| *known == *name);
    let (_, bytes) = found.ok_or(UNKNOWN_KEY)?;
    Ok(revalidated(TEXT, bytes))
}

/// Get a file of a revision
///
/// The files are compressed as their names say. One that the index names stays available for some time after the
/// next revision, and never changes.
#[utoipa::path(
    get,
    path = FILE_ROUTE.path,
    operation_id = "get_catalog_file",
    tag = "catalog files",
    params(
        ("revision" = String, Path, description = "The revision, as the index has it", example = "20260822T193104Z-0a14e3052f33"),
        ("file" = String, Path, description = "`catalog.ndjson.zst` or `catalog.ndjson.gz` for every record, `with-sources.ndjson.zst` for everything that is served, `from-{older}.ndjson.zst` for what changed since an older revision", example = "catalog.ndjson.zst"),
    ),
    responses(
        (status = 200, description = "The file", content(
            (String = "application/zstd", example = "(compressed lines of JSON)"),
            (String = "application/gzip", example = "(compressed lines of JSON)"),
        )),
        (status = 404, description = "The files of the revision are not available any more, or there is no such file", body = inline(ErrorDetail)),
    )
)]
fn file(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    // The route leaves two segments open, and the context has the last one.
    let revision = decode_segment(request.path.split('/').nth(2).unwrap_or_default());
    let snapshot = context.snapshot;
    let kept = || context.parts.catalog.find(&revision);
    let Some(files) = kept() else {
        if snapshot.revision().is_some() && revision == snapshot.token() {
            context.wait_once(Wait::CatalogFiles)?;
        } else if snapshot.journal().may_come(&revision) {
            context.wait_once(Wait::NewerCatalogFiles)?;
        }
        return Err(NOT_KEPT);
    };
    let name = context.slug();
    let body = files.file(&name).ok_or(HttpError::NotFound)?.clone();
    let content_type = if name.ends_with(".gz") { GZIP } else { ZSTD };
    Ok(Representation::Body { content_type, about: Some(FOREVER), body })
}

/// The files of the current revision. If those are still being made after the wait, the files before them
/// are right, too: all of them are kept.
fn newest(context: &ReadContext<'_>) -> Result<Arc<CatalogFiles>, HttpError> {
    let revision = context.snapshot.revision().ok_or(NOTHING)?;
    let shelf = &context.parts.catalog;
    if let Some(files) = shelf.find(&revision.token) {
        return Ok(files);
    }
    context.wait_once(Wait::CatalogFiles)?;
    shelf.newest().ok_or(HttpError::Busy)
}

fn revalidated(content_type: &'static FixedField, body: &bytes::Bytes) -> Representation {
    Representation::Versioned {
        content_type,
        token: tag_of(body),
        cache_control: REVALIDATE,
        body: body.clone(),
    }
}
