//! `mdm_installer`: the public table of titles, and the titles API that enriches it.
//!
//! The two files can be read in either order and are merged by title. A document's key says
//! which of them it came from, so that a new version of one does not replace the other.

mod table;

use std::{
    collections::BTreeMap,
    io::{BufRead, Read},
};

use appstitch_budget::Budget;
use appstitch_stitching::{CheckedEntry, TitleDocument};
use appstitch_types::MdmInstallerSource;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    json_stream::JsonStream,
    parsed_file::{FileError, KeyedEntries, ParsedFile, UpstreamEntry},
};

pub const TABLE: &str = "table/";

pub(crate) const TITLES: &str = "titles/";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    title: String,
    source: String,
    host: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Enrichment {
    id: Value,
    title_name: String,
    bundle_id: Option<String>,
    publisher: Option<String>,
    version: Option<String>,
    architecture: Option<String>,
    availability_date: Option<String>,
    media_source_type: Option<String>,
    #[serde(default)]
    original_media_sources: Vec<MediaSource>,
}

#[derive(Deserialize)]
struct MediaSource {
    url: Option<String>,
}

/// The size limit of the table's page. It is read as a whole, because it is small: the real one has
/// less than a megabyte.
const MAX_TABLE_BYTES: usize = 32 << 20;

/// Reads the table (HTML), or one or more pages of the titles API (JSON). The format is
/// detected from the content.
pub fn read(file: &mut dyn BufRead, budget: &mut Budget) -> Result<ParsedFile, FileError> {
    let first = JsonStream::new(file).peek(budget)?;
    match first {
        Some(b'<') => read_table(file, budget),
        Some(first @ (b'{' | b'[')) => {
            let is_list = first == b'[';
            read_titles(file, is_list, budget).map_err(|error| error.not_a("a page of titles"))
        }
        _ => Err(FileError::unreadable("neither the HTML table nor JSON titles")),
    }
}

fn read_table(file: &mut dyn BufRead, budget: &mut Budget) -> Result<ParsedFile, FileError> {
    let mut page = Vec::new();
    let read = file.take(MAX_TABLE_BYTES as u64 + 1).read_to_end(&mut page);
    read.map_err(|error| FileError::unreadable(error.to_string()))?;
    if page.len() > MAX_TABLE_BYTES {
        return Err(FileError::TooLarge { limit: MAX_TABLE_BYTES });
    }
    let mut entries = KeyedEntries::default();
    table::each_row(&String::from_utf8_lossy(&page), budget, &mut |columns, budget| {
        let [title, source, host] = columns;
        let what = format!("{TABLE}{}", title.as_deref().unwrap_or_default());
        let entry = match (title, source) {
            (Some(title), Some(source)) => {
                Row { title, source, host }.checked().map(|body| (what.clone(), body.into()))
            }
            _ => Err("the row has no title or no source".to_owned()),
        };
        Ok(entries.take_named(&what, entry, budget)?)
    })?;
    if entries.parsed.entries.is_empty() {
        return Err(FileError::NoTable);
    }
    Ok(entries.parsed)
}

fn read_titles(
    file: &mut dyn BufRead,
    is_list: bool,
    budget: &mut Budget,
) -> Result<ParsedFile, FileError> {
    let mut entries = KeyedEntries::default();
    let mut stream = JsonStream::new(file);
    let mut each = |text: Result<&str, String>, budget: &mut Budget| {
        let entry =
            text.and_then(|text| Ok((title_key(text)?, Bytes::copy_from_slice(text.as_bytes()))));
        Ok(entries.take(entry, budget)?)
    };
    if is_list {
        stream.elements(budget, &mut |stream, budget| stream.results(budget, &mut each))?;
    } else {
        stream.results(budget, &mut each)?;
    }
    stream.end(budget)?;
    Ok(entries.parsed)
}

fn title_key(entry: &str) -> Result<String, String> {
    let title: Enrichment = serde_json::from_str(entry).map_err(|error| error.to_string())?;
    let id = title.id().ok_or("id must be a non-empty string or a number")?;
    merge(None, title).source.admit().map_err(|broken| broken.to_string())?;
    Ok(format!("{TITLES}{id}"))
}

impl Row {
    fn checked(&self) -> Result<Vec<u8>, String> {
        self.clone().alone().admit().map_err(|broken| broken.to_string())?;
        serde_json::to_vec(self).map_err(|error| error.to_string())
    }

    /// The title of a row that the titles API does not know.
    fn alone(self) -> MdmInstallerSource {
        MdmInstallerSource {
            title: self.title,
            source: self.source,
            host: self.host,
            bundle_id: None,
            version: None,
            mgmt_id: None,
            download_url: None,
            architecture: None,
        }
    }
}

impl Enrichment {
    /// The id as text. Upstream writes it as a string or a number.
    fn id(&self) -> Option<String> {
        match &self.id {
            Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }
}

/// Merges the documents of both kinds by title.
pub fn parse<'a>(documents: impl IntoIterator<Item = &'a UpstreamEntry>) -> Vec<TitleDocument> {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut enrichments: Vec<(String, Enrichment)> = Vec::new();
    for document in documents {
        if document.key.starts_with(TABLE) {
            if let Ok(row) = serde_json::from_slice::<Row>(&document.body) {
                rows.insert(row.title.clone(), row);
            }
        } else if let Ok(enrichment) = serde_json::from_slice::<Enrichment>(&document.body) {
            enrichments.push((document.key.clone(), enrichment));
        }
    }
    enrichments.sort_by(|(left, _), (right, _)| left.cmp(right));
    let mut titles = Vec::new();
    for (_, enrichment) in enrichments {
        let row = rows.remove(&enrichment.title_name);
        titles.push(merge(row, enrichment));
    }
    titles.extend(rows.into_values().map(|row| TitleDocument {
        source: row.alone(),
        publisher: None,
        available: None,
    }));
    // A stored title that this version rejects is skipped.
    let admitted = titles.into_iter().filter_map(|title: TitleDocument| {
        let source = title.source.admit().ok()?;
        Some(TitleDocument { source, ..title })
    });
    let mut titles: Vec<TitleDocument> = admitted.collect();
    titles.sort_by(|left, right| {
        (&left.source.title, &left.source.mgmt_id)
            .cmp(&(&right.source.title, &right.source.mgmt_id))
    });
    titles
}

fn merge(row: Option<Row>, enrichment: Enrichment) -> TitleDocument {
    let mgmt_id = enrichment.id();
    let hosted = match enrichment.media_source_type.as_deref() {
        Some("EXTERNAL_URL") => "External",
        _ => "Jamf",
    };
    let (source, host) = match row {
        Some(row) => (row.source, row.host),
        None => (hosted.to_owned(), None),
    };
    TitleDocument {
        source: MdmInstallerSource {
            title: enrichment.title_name,
            source,
            host,
            bundle_id: enrichment.bundle_id,
            version: enrichment.version,
            mgmt_id,
            download_url: enrichment.original_media_sources.into_iter().find_map(|media| media.url),
            architecture: enrichment.architecture,
        },
        publisher: enrichment.publisher,
        available: enrichment.availability_date,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(mut file: &[u8]) -> Result<ParsedFile, FileError> {
        super::read(&mut file, &mut Budget::default())
    }

    const HTML: &[u8] = br#"<div><table><thead><tr><th id="r__entry__1">Title Name</th></tr></thead><tbody>
        <tr><td headers="r__entry__1">Sample &amp; Co</td><td headers="r__entry__2">External</td><td headers="r__entry__3">cdn.example.com</td></tr>
        <tr><td headers="r__entry__1">Plain</td><td headers="r__entry__2">Jamf</td><td headers="r__entry__3">--</td></tr>
        <tr><td headers="r__entry__1">Broken</td></tr></tbody></table></div>"#;
    const JSON: &[u8] = br#"{"totalCount":3,"results":[
        {"id":17,"titleName":"Sample & Co","bundleId":"com.example.sample","publisher":"Example","version":"1.2","architecture":"universal","mediaSourceType":"JAMF_SERVER","originalMediaSources":[{"url":"https://cdn.example.com/s.pkg"}]},
        {"id":"0F5","titleName":"Only In The Interface","bundleId":null,"mediaSourceType":"EXTERNAL_URL"},
        {"titleName":"No Id"}]}"#;

    #[test]
    fn table_and_interface_are_merged_by_title_in_either_order() {
        let (table, titles) = (read(HTML).unwrap(), read(JSON).unwrap());
        assert_eq!((table.entries.len(), table.refused.len()), (2, 1));
        assert_eq!((titles.entries.len(), titles.refused.len()), (2, 1));
        let one_way = parse(table.entries.iter().chain(&titles.entries));
        assert_eq!(one_way, parse(titles.entries.iter().chain(&table.entries)));
        let titles: Vec<_> = one_way.iter().map(|title| title.source.title.as_str()).collect();
        assert_eq!(titles, ["Only In The Interface", "Plain", "Sample & Co"]);
        let sample = &one_way[2].source;
        assert_eq!(
            (sample.source.as_str(), sample.host.as_deref()),
            ("External", Some("cdn.example.com"))
        );
        assert_eq!(
            sample.mgmt_id.as_deref(),
            Some("17"),
            "a string even when it looks like a number"
        );
        assert_eq!(sample.download_url.as_deref(), Some("https://cdn.example.com/s.pkg"));
        assert_eq!(one_way[1].source.mgmt_id, None);
        assert_eq!(one_way[0].source.source, "External");
    }

    #[test]
    fn other_files_are_unreadable() {
        assert!(read(b"<html><p>Sign in</p></html>").is_err());
        assert!(read(b"text").is_err());
        assert!(read(b"{\"error\":1}").is_err());
    }
}
