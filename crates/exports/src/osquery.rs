//! Queries that find installs that are out of date.

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
    let head = comment(&about(subject, installed));
    Ok((format!("-- {head}\n{};\n", outdated(installed)), warnings(subject)))
}

/// A file that `packs` in osquery's configuration names.
pub(crate) fn pack(subject: &Subject<'_>) -> Made {
    let installed = Installed::of(subject)?;
    let slug = subject.app.slug.as_str();
    let pack = json!({
        "platform": "darwin",
        "queries": {
            (format!("outdated_{slug}")): {
                "query": format!("{};", outdated(installed).replace('\n', " ")),
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
pub(crate) fn outdated(installed: Installed<'_>) -> String {
    match installed {
        Installed::App { bundle_id, key, version } => {
            let (id, version, column) = (sql(bundle_id), sql(version), column(key));
            format!(
                "SELECT name, {column} AS version, path\nFROM apps\nWHERE bundle_identifier = {id}\n  AND version_compare({column}, {version}) < 0"
            )
        }
        Installed::Package { receipt, version } => {
            let (receipt, version) = (sql(receipt), sql(version));
            format!(
                "SELECT package_id AS name, version, location AS path\nFROM package_receipts\nWHERE package_id = {receipt}\n  AND version_compare(version, {version}) < 0"
            )
        }
    }
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

fn warnings(subject: &Subject<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    if subject.details.updates_itself == Some(true) {
        warnings
            .push("The app updates itself, so an install can be newer than the catalog".to_owned());
    }
    warnings
}
