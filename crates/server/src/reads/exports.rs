//! `GET /apps/{slug}/exports`, `/apps/{slug}/export/{format}` and `/export/{file}`: apps as files for
//! other tools.

use appstitch_exports::ExportFormat;
use appstitch_snapshot::Exported as Made;
use appstitch_types::{AppExports, ExportRefusal, HttpValidationError, Source};

use super::paging::PageRequest;
use crate::{
    http_error::HttpError,
    message::{
        EndpointResult, FixedField, ReadContext, ReadRequest, Representation, Wait, decode_segment,
        fixed_field,
    },
    query::{Faults, read_path_word, read_word},
    response::ErrorDetail,
    route::{Export, Exported, Route},
};

pub(crate) const LIST_ROUTE: Route = Route::get(
    "/apps/{slug}/exports",
    list,
    Export::Each(Exported::AppsByContent, "apps/{}/exports.json"),
)
.catalog()
.documented::<__path_list>();
pub(crate) const FILE_ROUTE: Route = Route::get(
    "/apps/{slug}/export/{format}",
    file,
    Export::LiveOnly("the same files are exported below /a/{slug}"),
)
.catalog()
.documented::<__path_file>();
pub(crate) const ARCHIVE_ROUTE: Route =
    Route::get("/export/{file}", archive, Export::LiveOnly("it is made on demand"))
        .catalog()
        .documented::<__path_archive>();

const GZIP: &FixedField = fixed_field!("content-type", "application/gzip");

/// Get the formats that fit an app
///
/// Returns every format with whether the app can be exported in it. If not, `reasons` says which facts are
/// missing; if so, `warnings` says what to check before the file is used.
#[utoipa::path(
    get,
    path = LIST_ROUTE.path,
    operation_id = "get_app_exports",
    tag = "exports",
    params(("slug" = String, Path, description = "The app's slug", example = "firefoxpkg")),
    responses(
        (status = 200, description = "The formats", body = AppExports, headers(("etag" = String, description = "Changes with the list"))),
        (status = 404, description = "Unknown slug", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn list(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    let (snapshot, slug) = (context.snapshot, context.slug());
    let list = if let Some(kept) = snapshot.cached_exports(&slug)? {
        kept
    } else {
        context.begin_work()?;
        snapshot.exports(&slug)?
    };
    Ok(Representation::Hashed(list))
}

/// Export an app for another tool
///
/// Returns the app as a file that another tool reads. If a fact is missing that the tool needs, there is no
/// file: the answer is 409 with the reasons.
#[utoipa::path(
    get,
    path = FILE_ROUTE.path,
    operation_id = "export_app",
    tag = "exports",
    params(
        ("slug" = String, Path, description = "The app's slug", example = "firefoxpkg"),
        ("format" = String, Path, description = "`installomator`, `munki`, `autopkg`, `autopkg-download`, `intune`, `intune-preinstall`, `intune-postinstall`, `fleet`, `fleet-policy`, `osquery` or `osquery-pack`", example = "osquery"),
    ),
    responses(
        (status = 200, description = "The file; its media type depends on the format", content(
            (String = "application/sql", example = "SELECT name, bundle_short_version AS version, path\nFROM apps\nWHERE bundle_identifier = 'org.mozilla.firefox'\n  AND version_compare(bundle_short_version, '141.0') < 0;\n"),
            (String = "application/x-plist", example = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>\n\t<key>name</key>\n\t<string>firefoxpkg</string>\n</dict>\n</plist>\n"),
            (serde_json::Value = "application/yaml", example = json!([{"slug": "firefox/darwin", "self_service": true}])),
            (Object = "application/json", example = json!({"platform": "darwin", "queries": {}})),
            (String = "text/plain", example = "Firefox.munki\n"),
            (String = "text/x-shellscript", example = "#!/bin/sh\nexit 0\n"),
        ), headers(
            ("content-disposition" = String, description = "The name of the file"),
            ("etag" = String, description = "Changes with the file"),
        )),
        (status = 404, description = "Unknown slug", body = inline(ErrorDetail)),
        (status = 409, description = "A fact is missing that the tool needs", body = ExportRefusal, example = json!({"detail": "App 'firefoxpkg' cannot be exported as Munki pkginfo: no source has the checksum of the download", "format": "munki", "reasons": [{"code": "no_sha256", "text": "no source has the checksum of the download"}]})),
        (status = 422, description = "Unknown format", body = HttpValidationError),
    )
)]
fn file(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    // The route leaves two segments open, and the context has the last one.
    let slug = decode_segment(request.path.split('/').nth(2).unwrap_or_default());
    let snapshot = context.snapshot;
    snapshot.find(&slug)?;
    let format = read_format("format", context.segment, "")?;
    let made = if let Some(kept) = snapshot.cached_export(&slug, format)? {
        kept
    } else {
        context.begin_work()?;
        snapshot.export(&slug, format)?
    };
    match made {
        Made::File(file) => Ok(Representation::Saved {
            content_type: content_type(format),
            file_name: format.file_name(&slug),
            file,
        }),
        Made::Refused(body) => Err(HttpError::Refused(body)),
    }
}

/// Export many apps for another tool
///
/// Returns the files of all apps, of the apps with `slugs`, or of those that `vendor` and `source` select, as a
/// `tar.gz`. `REPORT.csv` in it lists every app with its file or with the reasons why there is none, and slugs that no app has. The bytes
/// depend on the catalog's token alone.
#[utoipa::path(
    get,
    path = ARCHIVE_ROUTE.path,
    operation_id = "export_apps",
    tag = "exports",
    params(
        ("file" = String, Path, description = "A format of `/apps/{slug}/export/{format}` and `.tar.gz`", example = "osquery.tar.gz"),
        ("slugs" = Option<String>, Query, description = "Only apps with these slugs, separated by commas, up to 500", example = "firefoxpkg,slack"),
        ("vendor" = Option<String>, Query, description = "Filter by vendor (case-insensitive)", example = "Mozilla"),
        ("source" = Option<String>, Query, description = "Only apps with this source: `label_tool`, `cask_catalog`, `recipe_index`, `mdm_installer`, or `store_listing`, which the `sources` of an app do not list", example = "label_tool"),
    ),
    responses(
        (status = 200, description = "The files", content((String = "application/gzip", example = "(a tar archive)")), headers(
            ("content-disposition" = String, description = "The name of the file"),
            ("etag" = String, description = "Changes with the archive"),
        )),
        (status = 503, description = "Other archives are being made, or the catalog has just changed; try again", body = inline(ErrorDetail)),
        (status = 422, description = "Unknown format, or an invalid parameter", body = HttpValidationError),
    )
)]
fn archive(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let file = context.slug();
    let format = read_format("file", &file, ".tar.gz")?;
    let (PageRequest { filter, .. }, slugs) = PageRequest::of_apps(request.query)?;
    let mut faults = Faults::default();
    faults.check(read_word("source", filter.source.as_deref(), &Source::ALL.map(Source::token)));
    faults.none()?;
    let snapshot = context.snapshot;
    let selection = snapshot.apps().select(&filter);
    let file = if let Some(slugs) = slugs {
        context.begin_work()?;
        let slugs: Vec<&str> = slugs.iter().collect();
        snapshot.export_archive(format, selection, Some(&slugs))?
    } else if let Some(kept) = context.parts.exports.find(snapshot, format, selection) {
        kept
    } else {
        // This can take seconds, and searches must not wait for it.
        context.wait_once(Wait::Exports(format, filter.into()))?;
        return Err(HttpError::Busy);
    };
    let file_name = format!("{}.tar.gz", format.name());
    Ok(Representation::Saved { content_type: GZIP, file_name, file })
}

/// Reads the name of a format with an ending.
fn read_format(parameter: &str, given: &str, ending: &str) -> Result<ExportFormat, HttpError> {
    if let Some(format) = given.strip_suffix(ending).and_then(ExportFormat::of) {
        return Ok(format);
    }
    let names = ExportFormat::ALL.map(|format| format!("{}{ending}", format.name()));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut faults = Faults::default();
    faults.check(read_path_word(parameter, given, &names));
    faults.none()?;
    Err(HttpError::NotFound)
}

/// A file of a format, as in [`ExportFormat::content_type`].
const fn content_type(format: ExportFormat) -> &'static FixedField {
    match format {
        ExportFormat::Installomator
        | ExportFormat::IntunePreinstall
        | ExportFormat::IntunePostinstall => {
            fixed_field!("content-type", "text/x-shellscript; charset=utf-8")
        }
        ExportFormat::Munki | ExportFormat::AutoPkgDownload => {
            fixed_field!("content-type", "application/x-plist")
        }
        ExportFormat::AutoPkg => fixed_field!("content-type", "text/plain; charset=utf-8"),
        ExportFormat::Intune | ExportFormat::OsqueryPack => {
            fixed_field!("content-type", "application/json")
        }
        ExportFormat::Fleet | ExportFormat::FleetPolicy => {
            fixed_field!("content-type", "application/yaml")
        }
        ExportFormat::Osquery => fixed_field!("content-type", "application/sql"),
    }
}

#[cfg(test)]
impl __path_file {
    /// What the document says about the formats.
    fn path_description() -> String {
        serde_json::to_string(&<Self as utoipa::Path>::operation()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_sent_as_it_is_described() {
        for format in ExportFormat::ALL {
            assert_eq!(content_type(format).value, format.content_type());
            let path = __path_file::path_description();
            assert!(path.contains(&format!("`{}`", format.name())), "{}", format.name());
        }
    }
}
