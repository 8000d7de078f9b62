//! The catalogs that are measured: the upstreams' real files, or made-up ones of that size.

use std::{fs, io::Write};

use flate2::{Compression, write::GzEncoder};

use super::{load::Request, server::Server};
use crate::run::{Failure, workspace};

/// The upstreams' real files and whose they are.
const REAL: [(&str, &str); 6] = [
    ("label_tool", "label_tool/labels.tar.gz"),
    ("cask_catalog", "cask_catalog/cask.json.gz"),
    ("recipe_index", "recipe_index/index.json.gz"),
    ("mdm_installer", "mdm_installer/titles.synthetic.html"),
    ("mdm_installer", "mdm_installer/titles.synthetic.json.gz"),
    ("store_listing", "store_listing/lookup.json.gz"),
];

/// As many apps as the real files give.
const REAL_SIZE: usize = 5_300;

/// A file of the real ones; `None` where they are not at hand.
pub(super) fn real_file(name: &str) -> Option<Vec<u8>> {
    fs::read(workspace().join("../shared/data").join(name)).ok()
}

/// All real files, or `None` where they are not at hand.
pub(super) fn real_files() -> Option<Vec<(&'static str, Vec<u8>)>> {
    REAL.iter().map(|(source, name)| Some((*source, real_file(name)?))).collect()
}

/// Fills a server with the real files, or with as many made-up apps.
pub(super) fn fill(server: &Server) -> Result<(), Failure> {
    let parts = match real_files() {
        Some(parts) => parts,
        None => vec![("cask_catalog", gzip(&made_up_casks(REAL_SIZE))?)],
    };
    server.put_form(&parts)?;
    // Drift needs labels whose version is known: each gets the one its cask had a while ago.
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

/// A slug and a vendor to ask about: the first app that has both a vendor and a long history.
pub(super) fn examples(server: &Server) -> Result<(String, String), Failure> {
    let page = server.ask(&Request::get("/apps?source=label_tool&limit=1000"))?;
    let text = String::from_utf8_lossy(&page.body).into_owned();
    let field = |row: &str, name: &str| {
        let (_, rest) = row.split_once(&format!("\"{name}\":\""))?;
        rest.split('"').next().map(str::to_owned)
    };
    let found = text.split("{\"slug\":").skip(1).find_map(|row| {
        let row = format!("\"slug\":{row}");
        let vendor = field(&row, "vendor").filter(|vendor| !vendor.contains(' '))?;
        Some((field(&row, "slug")?, vendor))
    });
    Ok(found.unwrap_or_else(|| ("made-up-7".to_owned(), "nobody".to_owned())))
}

/// Packed as upstream packs it; a million made-up casks are too long to send as they are.
pub(super) fn gzip(bytes: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed
        .write_all(bytes)
        .and_then(|()| packed.finish())
        .map_err(|error| Failure(format!("the made-up file cannot be packed: {error}")))
}

/// A cask file of the upstream's shape.
pub(super) fn made_up_casks(count: usize) -> Vec<u8> {
    let entries: Vec<String> = (0..count)
        .map(|number| {
            format!(
                r#"{{"token":"made-up-{number}","old_tokens":[],"name":["Made Up {number}"],"homepage":"https://vendor{}.example/","url":"https://vendor{}.example/made-up-{number}-1.{number}.dmg","version":"1.{number}","sha256":"{number:064x}","artifacts":[{{"uninstall":[{{"quit":"com.vendor.made-up-{number}"}}]}},{{"app":["Made Up {number}.app"]}}],"disabled":false}}"#,
                number % 997, number % 997,
            )
        })
        .collect();
    format!("[{}]", entries.join(",")).into_bytes()
}
