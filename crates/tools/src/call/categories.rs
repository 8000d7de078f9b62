//! A page of the values that apps can be grouped by. Only the vendors are many.

use std::borrow::Cow;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::definition::ToolOutput;

#[derive(Deserialize, Serialize)]
struct Page<'a> {
    #[serde(borrow)]
    install_methods: &'a RawValue,
    #[serde(borrow)]
    sources: &'a RawValue,
    #[serde(borrow)]
    vendors: Vec<Cow<'a, str>>,
}

/// The categories with the vendors of a page, as many as fit.
pub(super) fn page(
    json: &Bytes,
    limit: usize,
    offset: usize,
    max_bytes: usize,
) -> Result<ToolOutput, String> {
    let broken = |_| "the categories cannot be read".to_owned();
    let mut page: Page<'_> = serde_json::from_slice(json).map_err(broken)?;
    let there = page.vendors.len();
    if offset == 0 && there <= limit && json.len() <= max_bytes {
        return Ok(ToolOutput::of(json.clone()));
    }
    page.vendors.drain(..offset.min(there));
    page.vendors.truncate(limit);
    let mut body = serde_json::to_vec(&page).map_err(broken)?;
    while body.len() > max_bytes && !page.vendors.is_empty() {
        page.vendors.truncate(page.vendors.len() / 2);
        body = serde_json::to_vec(&page).map_err(broken)?;
    }
    let next = offset.saturating_add(page.vendors.len());
    let notes = (next < there).then(|| {
        format!(
            "Only {} of {there} vendors are listed; call again with offset {next} to get the next ones.",
            page.vendors.len()
        )
    });
    Ok(ToolOutput { json: body.into(), notes: notes.into_iter().collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vendors_are_paged_and_the_rest_is_always_there() {
        let json = Bytes::from_static(
            br#"{"install_methods":["dmg"],"sources":["label_tool"],"vendors":["A","B\"","C"]}"#,
        );
        assert_eq!(page(&json, 3, 0, 1000), Ok(ToolOutput::of(json.clone())));
        let first = page(&json, 2, 0, 1000).unwrap();
        assert!(first.json.ends_with(br#""vendors":["A","B\""]}"#), "{first:?}");
        assert!(first.notes[0].contains("2 of 3 vendors") && first.notes[0].contains("offset 2"));
        let last = page(&json, 2, 2, 1000).unwrap();
        assert!(last.json.ends_with(br#""sources":["label_tool"],"vendors":["C"]}"#), "{last:?}");
        assert!(last.notes.is_empty() && page(&json, 2, 9, 1000).unwrap().notes.is_empty());
    }
}
