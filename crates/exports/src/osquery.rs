//! Queries that find installs that are out of date.

use std::fmt::Write;

use serde_json::json;

use crate::{
    Made,
    installed::{Installed, VersionKey},
    quote::{comment, sql},
    subject::Subject,
};

/// How often a pack looks, in seconds.
const INTERVAL: u32 = 86_400;

pub(crate) fn query(subject: &Subject<'_>) -> Made {
    let installed = Installed::of(subject)?;
    let warnings = warnings(subject);
    let mut text = format!("-- {}\n", comment(&about(subject, installed)));
    for warning in &warnings {
        let _ = writeln!(text, "-- {}", comment(warning));
    }
    let _ = writeln!(text, "{};", outdated(installed));
    Ok((text, warnings))
}

/// A file that `packs` in osquery's configuration names.
pub(crate) fn pack(subject: &Subject<'_>) -> Made {
    let installed = Installed::of(subject)?;
    let slug = subject.app.slug.as_str();
    let pack = json!({
        "platform": "darwin",
        "queries": {
            (format!("outdated_{slug}")): {
                "query": format!("{};", on_one_line(installed)),
                "interval": INTERVAL,
                "platform": "darwin",
                "snapshot": true,
                "description": about(subject, installed),
                "value": "Apps that are out of date",
            }
        }
    });
    let mut text = serde_json::to_string_pretty(&pack).unwrap_or_default();
    text.push('\n');
    Ok((text, warnings(subject)))
}

/// A query without an end: a row for each install that is older than the current version.
fn outdated(installed: Installed<'_>) -> String {
    match installed {
        Installed::App { bundle_id, key, version } => {
            let (id, version, column) = (sql(bundle_id), compared(version), column(key));
            format!(
                "SELECT name, {column} AS version, path\nFROM apps\nWHERE bundle_identifier = {id}\n  AND version_compare({column}, {version}) < 0"
            )
        }
        Installed::Package { receipt, version } => {
            let (receipt, version) = (sql(receipt), compared(version));
            format!(
                "SELECT package_id AS name, version, location AS path\nFROM package_receipts\nWHERE package_id = {receipt}\n  AND version_compare(version, {version}) < 0"
            )
        }
    }
}

pub(crate) fn on_one_line(installed: Installed<'_>) -> String {
    outdated(installed).replace("\n  ", " ").replace('\n', " ")
}

/// A version in a query. To osquery, 2.1 is older than 2.1.0, but 2.1.0 is not older than 2.1.
fn compared(version: &str) -> String {
    let mut parts = version;
    while let Some(shorter) = parts.strip_suffix(".0") {
        parts = shorter;
    }
    sql(parts)
}

fn column(key: VersionKey) -> &'static str {
    match key {
        VersionKey::ShortVersion => "bundle_short_version",
        VersionKey::BundleVersion => "bundle_version",
    }
}

fn about(subject: &Subject<'_>, installed: Installed<'_>) -> String {
    format!("Installs of {} that are older than {}", subject.app.name, installed.version())
}

pub(crate) fn warnings(subject: &Subject<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    warnings.extend(subject.shared_id());
    if subject.details.updates_itself == Some(true) {
        warnings
            .push("The app updates itself, so an install can be newer than the catalog".to_owned());
    }
    warnings
}
