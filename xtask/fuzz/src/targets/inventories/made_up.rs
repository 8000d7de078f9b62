//! Made-up lists of installed apps, in every format.

use std::io::Write;

use appstitch_hostile::Chance;
use flate2::{Compression, write::GzEncoder};
use serde_json::Value;

use super::property_lists;
use crate::targets::made_up_json::Vocabulary;

/// What the readers know, and values that mean something to them.
const WORDS: Vocabulary = Vocabulary {
    keys: &[
        "name", "_name", "app_name", "display_name", "CFBundleName", "bundle_id",
        "bundle_identifier", "version", "bundle_short_version", "installed_version", "build",
        "path", "rows", "results", "applications", "software", "software_titles",
        "installed_versions", "versions", "columns", "casks", "apps", "value", "managed_installs",
        "machine_info", "token", "installed", "host", "computer", "hostname", "id", "general",
        "signature_information", "team_identifier", "signed_by", "obtained_from", "mac_app_store",
        "hosts_count", "platform", "source", "action", "adamID", "_items", "_dataType", "other",
    ],
    texts: &[
        "Sample.app",
        "Sample",
        "com.example.sample",
        "1.2",
        "1.2.3 (45)",
        "/Applications/Sample.app",
        "apps",
        "windows",
        "macOS",
        "removed",
        "apple",
        "mac_app_store",
        "Developer ID Application: A (ABCDE12345)",
        "SPApplicationsDataType",
        "latest",
        "N/A",
        " ",
        "",
    ],
};

/// What separates the cells of a table.
const SEPARATORS: [&str; 3] = [",", ";", "\t"];

/// A file in one of the formats; at times it is compressed.
pub(super) fn file(chance: &mut Chance) -> Vec<u8> {
    let file = match chance.below(8) {
        0 => rows(chance, "\n").into_bytes(),
        1 | 2 => property_list(chance, |value| property_lists::xml(value).into_bytes()),
        3 | 4 => property_list(chance, property_lists::binary),
        5 => table(chance).into_bytes(),
        6 => plain_list(chance).into_bytes(),
        _ => document(chance).into_bytes(),
    };
    match chance.below(24) {
        0 => gzip(&file).unwrap_or(file),
        1 => zstd::encode_all(file.as_slice(), 1).unwrap_or(file),
        _ => file,
    }
}

fn document(chance: &mut Chance) -> String {
    let rows = rows(chance, ",");
    match chance.pick(WORDS.keys) {
        "other" => format!("[{rows}]"),
        key => format!("{{\"{key}\":[{rows}]}}"),
    }
}

fn rows(chance: &mut Chance, separator: &str) -> String {
    let rows: Vec<String> = (0..=chance.below(3)).map(|_| WORDS.object(chance, 2)).collect();
    rows.join(separator)
}

fn property_list(chance: &mut Chance, write: impl Fn(&Value) -> Vec<u8>) -> Vec<u8> {
    let document = document(chance);
    let value = serde_json::from_str::<Value>(&document);
    // Some odd values, such as 1e400, are not JSON that can be read.
    value.map_or_else(|_| document.into_bytes(), |value| write(&value))
}

fn table(chance: &mut Chance) -> String {
    let separator = chance.pick(&SEPARATORS);
    let line_end = chance.pick(&["\n", "\r\n", "\r"]);
    let columns = 1 + chance.below(6);
    let mut text = match chance.below(4) {
        0 => format!("sep={separator}{line_end}"),
        _ => String::new(),
    };
    for line in 0..=1 + chance.below(4) {
        let words = if line == 0 { WORDS.keys } else { WORDS.texts };
        let cells: Vec<String> = (0..columns).map(|_| cell(chance.pick(words), chance)).collect();
        text.push_str(&cells.join(separator));
        text.push_str(line_end);
    }
    text
}

fn cell(text: &str, chance: &mut Chance) -> String {
    match chance.below(6) {
        0 => format!("\"{text}\""),
        1 => format!("\"{text}\"\"{}\"", chance.pick(&SEPARATORS)),
        _ => text.to_owned(),
    }
}

fn plain_list(chance: &mut Chance) -> String {
    let number = |chance: &mut Chance| chance.below(1000);
    let line = |chance: &mut Chance| match chance.below(2) {
        0 => format!("{}  {}  ({})\n", number(chance), chance.pick(WORDS.texts), number(chance)),
        _ => format!("a-cask@{} {}.{} latest\n", number(chance), number(chance), number(chance)),
    };
    (0..=chance.below(4)).map(|_| line(chance)).collect()
}

fn gzip(file: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(file)?;
    encoder.finish()
}
