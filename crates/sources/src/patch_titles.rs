//! `patch_titles`: the titles of the patch catalog of a Jamf Pro server, as XML or JSON.
//!
//! A title is a code, the name of a product and its maker; it is no app and no payload. The store
//! keeps each row as JSON.

mod xml;

use std::io::{BufRead, Read};

use appstitch_budget::Budget;
use appstitch_stitching::PatchTitle;
use appstitch_text::served;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::Value;

use crate::{
    json_stream::JsonStream,
    parsed_file::{FileError, KeyedEntries, ParsedFile, UpstreamEntry},
};

/// Written behind the publisher, or behind the name, of a title that covers all versions of a product.
const COMBINED: &str = "(Combined Definition)";

/// The most bytes of a code. The real ones have three.
const MAX_CODE_BYTES: usize = 64;

/// The size limit of the XML, which is read as a whole: the real one has 400 kilobytes.
const MAX_XML_BYTES: usize = 32 << 20;

/// The keys of JSON that the rows are below, from the outermost to the innermost one.
const WRAPPERS: [&str; 4] =
    ["patch_available_titles", "available_titles", "available_title", "results"];

#[derive(Deserialize)]
struct Row {
    name_id: Value,
    app_name: String,
    publisher: Option<String>,
    current_version: Option<String>,
}

/// Reads the rows of a patch catalog. The format is detected from the content.
pub fn read(file: &mut dyn BufRead, budget: &mut Budget) -> Result<ParsedFile, FileError> {
    match JsonStream::new(file).peek(budget)? {
        Some(b'<') => {
            read_xml(file, budget).map_err(|error| error.not_a("the titles of a patch catalog"))
        }
        Some(b'{' | b'[') => {
            read_json(file, budget).map_err(|error| error.not_a("the titles of a patch catalog"))
        }
        _ => Err(FileError::unreadable("neither XML nor JSON titles of a patch catalog")),
    }
}

fn read_xml(file: &mut dyn BufRead, budget: &mut Budget) -> Result<ParsedFile, FileError> {
    let mut text = Vec::new();
    let read = file.take(MAX_XML_BYTES as u64 + 1).read_to_end(&mut text);
    read.map_err(|error| FileError::unreadable(error.to_string()))?;
    if text.len() > MAX_XML_BYTES {
        return Err(FileError::TooLarge { limit: MAX_XML_BYTES });
    }
    let text = String::from_utf8(text).map_err(|error| FileError::unreadable(error.to_string()))?;
    let mut entries = KeyedEntries::default();
    xml::each_title(&text, budget, &mut |row, budget| Ok(entries.take(checked(&row), budget)?))?;
    Ok(entries.parsed)
}

fn read_json(file: &mut dyn BufRead, budget: &mut Budget) -> Result<ParsedFile, FileError> {
    let mut entries = KeyedEntries::default();
    let mut stream = JsonStream::new(file);
    let mut each = |text: Result<&str, String>, budget: &mut Budget| {
        Ok(entries.take(text.and_then(checked), budget)?)
    };
    if !rows_below(&mut stream, &WRAPPERS, budget, &mut each)? {
        return Err(FileError::unreadable("missing field `available_titles`"));
    }
    stream.end(budget)?;
    Ok(entries.parsed)
}

type EachRow<'f> = dyn FnMut(Result<&str, String>, &mut Budget) -> Result<(), FileError> + 'f;

/// Reads a value: the rows of an array, or of the arrays below the wrappers. Returns whether there was
/// one. Each level has fewer wrappers than the one above, so the depth is limited.
fn rows_below(
    stream: &mut JsonStream<'_>,
    wrappers: &[&str],
    budget: &mut Budget,
    each: &mut EachRow<'_>,
) -> Result<bool, FileError> {
    match stream.peek(budget)? {
        Some(b'[') => {
            stream.elements(budget, &mut |stream, budget| each(stream.value(budget)?, budget))?;
            Ok(true)
        }
        Some(b'{') => {
            let mut is_found = false;
            stream.members(budget, &mut |stream, key, budget| match wrappers
                .iter()
                .position(|wrapper| *wrapper == key)
            {
                Some(level) => {
                    is_found |= rows_below(stream, &wrappers[level + 1..], budget, each)?;
                    Ok(())
                }
                None => stream.skip(budget),
            })?;
            Ok(is_found)
        }
        _ => {
            stream.skip(budget)?;
            Ok(false)
        }
    }
}

/// The key and the content of a row, or why it is rejected.
fn checked(text: &str) -> Result<(String, Bytes), String> {
    let title = title(text.as_bytes())?;
    Ok((title.code, Bytes::copy_from_slice(text.as_bytes())))
}

/// The title of a document.
pub fn parse(document: &UpstreamEntry) -> Result<PatchTitle, String> {
    title(&document.body)
}

fn title(row: &[u8]) -> Result<PatchTitle, String> {
    let row: Row = serde_json::from_slice(row).map_err(|error| error.to_string())?;
    let code = code(&row.name_id)?;
    let (name, is_combined_name) = without_mark(&row.app_name);
    let name = served::text("app_name", name).map_err(|broken| broken.to_string())?;
    let (publisher, is_combined) = without_mark(row.publisher.as_deref().unwrap_or_default());
    let version = row.current_version.as_deref();
    Ok(PatchTitle {
        code,
        name,
        // Junk in them is no reason to lose the title.
        publisher: served::text("publisher", publisher).ok(),
        version: version.and_then(|version| served::value("current_version", version).ok()),
        covers_all_versions: is_combined || is_combined_name,
    })
}

fn code(value: &Value) -> Result<String, String> {
    let code = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return Err("name_id must be a non-empty string or a number".to_owned()),
    };
    if code.len() > MAX_CODE_BYTES {
        return Err(format!("name_id is longer than {MAX_CODE_BYTES} bytes"));
    }
    served::check_value("name_id", &code).map_err(|broken| broken.to_string())?;
    Ok(code)
}

/// A text without the mark of a title that covers all versions, and whether it had the mark.
fn without_mark(text: &str) -> (&str, bool) {
    let text = text.trim();
    match text.strip_suffix(COMBINED) {
        Some(rest) => (rest.trim_end(), true),
        None => (text, false),
    }
}

#[cfg(test)]
mod tests;
