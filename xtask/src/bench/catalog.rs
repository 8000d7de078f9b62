//! The measured catalog: the upstreams' real files, or generated ones of the same size.

use std::{collections::BTreeMap, fs};

use flate2::read::GzDecoder;
use serde_json::Value;

use tempfile::TempDir;

use super::{
    effort::SERVING, http::Request, made_up::MadeUp, scratch, server::Server, upload::Upload,
};
use crate::run::{Failure, workspace};

/// The upstreams' real files and their sources.
const REAL: [(&str, &str); 6] = [
    ("label_tool", "label_tool/labels.tar.gz"),
    ("cask_catalog", CASKS),
    ("recipe_index", "recipe_index/index.json.gz"),
    ("mdm_installer", "mdm_installer/titles.synthetic.html"),
    ("mdm_installer", "mdm_installer/titles.synthetic.json.gz"),
    ("store_listing", "store_listing/lookup.json.gz"),
];

const CASKS: &str = "cask_catalog/cask.json.gz";
const OLDER_CASKS: &str = "cask_catalog/cask.2026-08-08.json.gz";

/// As many apps and labels as in the real files.
const REAL_SIZE: MadeUp = MadeUp { apps: 5_300, labels: 1_200, edition: 0 };

/// One of the real files; `None` if it is not available on this machine.
fn real_file(name: &str) -> Option<Vec<u8>> {
    fs::read(workspace().join("../shared/data").join(name)).ok()
}

/// All real files; `None` if one is not available on this machine.
fn real_files() -> Option<Vec<(&'static str, Vec<u8>)>> {
    REAL.iter().map(|(source, name)| Some((*source, real_file(name)?))).collect()
}

pub(super) fn all_apps(server: &Server) -> Result<Vec<Value>, Failure> {
    let mut apps = Vec::new();
    loop {
        let path = format!("/apps?limit=1000&offset={}", apps.len());
        let page = server.ask(&Request::get(&path))?;
        let page: Vec<Value> = serde_json::from_slice(&page.body)
            .map_err(|error| Failure(format!("{path} is not a list: {error}")))?;
        if page.is_empty() {
            return Ok(apps);
        }
        apps.extend(page);
    }
}

pub(super) fn kind() -> &'static str {
    if real_files().is_some() { "the upstreams' real files" } else { "made up, of the real size" }
}

/// Two editions of the catalog, as one upload each. Publishing them in turn changes something each
/// time.
pub(super) fn editions() -> Result<[Upload; 2], Failure> {
    let (Some(files), Some(older)) = (real_files(), real_file(OLDER_CASKS)) else {
        let older = MadeUp { edition: 1, ..REAL_SIZE };
        return Ok([REAL_SIZE.upload()?, older.upload()?]);
    };
    let mut older_files = files.clone();
    for (source, bytes) in &mut older_files {
        if *source == "cask_catalog" {
            bytes.clone_from(&older);
        }
    }
    Ok([Upload::new(&files), Upload::new(&older_files)])
}

/// The older edition with a fourteenth of what changed until the newest one, which is two weeks younger.
pub(super) fn day_after_older() -> Result<Upload, Failure> {
    let (Some(mut files), Some(newest), Some(older)) =
        (real_files(), real_file(CASKS), real_file(OLDER_CASKS))
    else {
        return MadeUp { edition: 2, ..REAL_SIZE }.upload();
    };
    let (newest, mut casks) = (casks(&newest)?, casks(&older)?);
    let is_changed = |(token, cask): &(&String, &Value)| {
        casks.get(*token).is_none_or(|known| known["version"] != cask["version"])
    };
    let changed = newest.iter().filter(is_changed).step_by(14);
    let changed: Vec<_> = changed.map(|(token, cask)| (token.clone(), cask.clone())).collect();
    casks.extend(changed);
    let all = casks.into_values().collect::<Value>().to_string();
    for (source, bytes) in &mut files {
        if *source == "cask_catalog" {
            *bytes = all.clone().into_bytes();
        }
    }
    Ok(Upload::new(&files))
}

/// The casks of a file by their tokens.
fn casks(packed: &[u8]) -> Result<BTreeMap<String, Value>, Failure> {
    let casks: Vec<Value> = serde_json::from_reader(GzDecoder::new(packed))
        .map_err(|error| Failure(format!("the casks cannot be read: {error}")))?;
    let named = |cask: Value| (cask["token"].as_str().unwrap_or_default().to_owned(), cask);
    Ok(casks.into_iter().map(named).collect())
}

/// Fills a server with the real files, or with as many generated apps.
pub(super) fn fill(server: &Server) -> Result<(), Failure> {
    let [newest, _] = editions()?;
    newest.send(server)?;
    // Drift needs labels with a known version: each label gets an old one.
    let unresolved = server.ask_admin("GET", "/admin/labels/unresolved", "")?;
    let labels = unresolved.split('"').filter(|word| {
        word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') && *word != "labels"
    });
    let lines: Vec<String> = labels
        .filter(|label| !label.is_empty())
        .map(|label| format!(r#"{{"label":"{label}","ok":true,"appNewVersion":"0.0.1"}}"#))
        .collect();
    if !lines.is_empty() {
        server.ask_admin("POST", "/admin/labels/resolved", &lines.join("\n"))?;
    }
    Ok(())
}

/// The catalog in a store that no server has open.
pub(super) struct Stored {
    pub(super) store: TempDir,
    /// A slug and a vendor for requests.
    pub(super) slug: String,
    pub(super) vendor: String,
}

/// Stores the catalog with a server, which is then stopped.
pub(super) fn stored() -> Result<Stored, Failure> {
    let store = scratch()?;
    let server = Server::start(&store, Some(SERVING))?;
    fill(&server)?;
    let (slug, vendor) = examples(&server)?;
    server.process.cpu_seconds_at_rest()?;
    server.stop()?;
    Ok(Stored { store, slug, vendor })
}

/// A slug and a vendor for requests: the first app with a label and a vendor, and the vendor with
/// the most apps.
pub(super) fn examples(server: &Server) -> Result<(String, String), Failure> {
    let page = server.ask(&Request::get("/apps?source=label_tool&limit=1000"))?;
    let rows = slugs_and_vendors(&String::from_utf8_lossy(&page.body));
    let mut apps_of = BTreeMap::<&str, usize>::new();
    for (_, vendor) in &rows {
        *apps_of.entry(vendor).or_default() += 1;
    }
    let largest = apps_of.into_iter().max_by_key(|(_, apps)| *apps);
    match (rows.first(), largest) {
        (Some((slug, _)), Some((vendor, _))) => Ok((slug.clone(), vendor.to_owned())),
        _ => Err(Failure("no app in the catalog has both a label and a vendor".to_owned())),
    }
}

/// The rows of a page whose vendor needs no escaping in a URL.
fn slugs_and_vendors(page: &str) -> Vec<(String, String)> {
    let field = |row: &str, name: &str| {
        let (_, rest) = row.split_once(&format!("\"{name}\":\""))?;
        rest.split('"').next().map(str::to_owned)
    };
    let plain = |vendor: &String| vendor.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let rows = page.split("{\"slug\":").skip(1).filter_map(|row| {
        let slug = row.split('"').nth(1)?.to_owned();
        Some((slug, field(row, "vendor").filter(plain)?))
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_without_a_plain_vendor_are_left_out() {
        let page = r#"[{"slug":"a","vendor":null},{"slug":"b","vendor":"One"},{"slug":"c","vendor":"Two Words"}]"#;
        assert_eq!(slugs_and_vendors(page), [("b".to_owned(), "One".to_owned())]);
    }
}
