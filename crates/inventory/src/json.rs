//! JSON: one document, several after one another, or one per line.

use memchr::{memchr_iter, memrchr};
use serde_json::Deserializer;

use crate::{collector::Collector, error::InventoryError, tree::read_document};

const FORMAT: &str = "JSON document";

pub(crate) fn read(text: &str, collector: &mut Collector<'_>) -> Result<(), InventoryError> {
    collector.expect_apps(memchr_iter(b'{', text.as_bytes()).count());
    let mut rest = text;
    loop {
        // One parser per document: a parser counts the lines from its beginning to say where it is.
        let mut deserializer = Deserializer::from_str(rest);
        // It is at the end if only white space is left.
        if deserializer.end().is_ok() {
            return Ok(());
        }
        let is_entries = read_document(&mut deserializer, collector).map_err(|error| {
            let before = &text[..text.len() - rest.len()];
            collector.error(FORMAT, located(&error, before))
        })?;
        if !is_entries {
            let found = "it has a plain value where a list or an object is expected".to_owned();
            return Err(InventoryError::Unrecognized { found });
        }
        let Err(complaint) = deserializer.end() else { return Ok(()) };
        let next = behind(rest, &complaint);
        // It never is, but such a mistake would have no end.
        if next.len() >= rest.len() {
            return Err(collector.error(FORMAT, complaint.to_string()));
        }
        rest = next;
    }
}

/// What follows the document at the beginning of a text, if the parser complains about its first
/// character.
fn behind<'a>(text: &'a str, complaint: &serde_json::Error) -> &'a str {
    let lines = complaint.line().saturating_sub(1);
    let line = match lines.checked_sub(1) {
        None => 0,
        Some(last) => memchr_iter(b'\n', text.as_bytes()).nth(last).map_or(text.len(), |at| at + 1),
    };
    // Columns are counted from one.
    text.get(line + complaint.column().saturating_sub(1)..).unwrap_or_default()
}

/// The message of an error with its position in the whole text; `before` precedes the document.
fn located(error: &serde_json::Error, before: &str) -> String {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let Some(message) = message.strip_suffix(&format!(" at line {line} column {column}")) else {
        return message;
    };
    let lines = memchr_iter(b'\n', before.as_bytes()).count();
    let start = memrchr(b'\n', before.as_bytes()).map_or(0, |at| at + 1);
    let column = if line == 1 { column + before.len() - start } else { column };
    format!("{message} at line {} column {column}", line + lines)
}
