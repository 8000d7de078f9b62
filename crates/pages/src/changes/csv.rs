//! The same changes for spreadsheets: one line for each field, newest change first.

use appstitch_inventory::csv::write_line;
use serde_json::Value;

use super::{listed::ListedChange, request::ChangesPageRequest};
use crate::site::{PageError, Site};

/// The most changes in a file. Older ones are found with `before`.
pub const MOST_CHANGES: usize = 1_000;

const HEADER: &str = "number,at,slug,name,kind,field,from,to\r\n";

/// The newest changes of a selection as CSV. `after` is the number after which `since` begins, if the
/// address has it.
pub fn changes_csv(
    site: &Site<'_>,
    request: &ChangesPageRequest,
    after: u64,
) -> Result<String, PageError> {
    let journal = site.snapshot.journal();
    let page = journal.newest_first(after, request.before, &request.filter, MOST_CHANGES);
    let mut text = HEADER.as_bytes().to_vec();
    for row in page.rows {
        let number = row.seq().to_string();
        let ListedChange { change, name, .. } = ListedChange::of(site, row);
        let at = change.at.to_string();
        for (field, moved) in &change.fields {
            let (from, to) = (value(&moved.from), value(&moved.to));
            write_line(
                &mut text,
                [
                    Some(number.as_str()),
                    Some(&at),
                    Some(&change.slug),
                    Some(&name),
                    Some(change.kind.word()),
                    Some(field),
                    from.as_deref(),
                    to.as_deref(),
                ],
            );
        }
    }
    // Every cell was text.
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// A value in a cell; lists are joined, and what is not known is empty.
fn value(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(values) => {
            Some(values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "))
        }
        other => Some(other.to_string()),
    }
}
