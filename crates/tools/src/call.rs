//! Running a tool over a snapshot.

use appstitch_snapshot::{Filter, Page, ReadError, Resource, Snapshot};
use bytes::Bytes;

use crate::{arguments::Arguments, definition::CatalogTool};

/// What a tool returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Returned {
    /// The structured content, as JSON.
    pub json: Bytes,
    /// What to do to see the rest, where not all of it is there.
    pub note: Option<String>,
}

/// Runs a tool; the error is a sentence for whoever called it.
pub(crate) fn call(
    snapshot: &Snapshot,
    tool: CatalogTool,
    arguments: &Arguments,
    max_bytes: usize,
) -> Result<Returned, String> {
    let told = |error: ReadError| error.to_string();
    match tool {
        CatalogTool::GetCatalogSummary => whole(snapshot.summary().clone(), max_bytes, tool),
        CatalogTool::ListCategories => whole(snapshot.categories().clone(), max_bytes, tool),
        CatalogTool::GetApp => {
            let resource = snapshot.app(&arguments.slug).map_err(told)?;
            whole(snapshot.body(resource).concat().into(), max_bytes, tool)
        }
        CatalogTool::GetAppSources => {
            let resource = snapshot.app_sources(&arguments.slug).map_err(told)?;
            whole(snapshot.body(resource).concat().into(), max_bytes, tool)
        }
        CatalogTool::GenerateLabel => {
            let label = snapshot.generate_label(&arguments.slug).map_err(told)?;
            let json = serde_json::to_vec(&label).map_err(|_| told(ReadError::Internal))?;
            whole(json.into(), max_bytes, tool)
        }
        CatalogTool::SearchApps => {
            let found = snapshot.search(&arguments.query, arguments.limit);
            let advice = "search for more of the name, or read the apps one by one with get_app";
            Ok(apps(snapshot, &found, max_bytes, advice))
        }
        CatalogTool::ListRecentChanges => {
            let newest = snapshot.recent();
            let newest = &newest[..newest.len().min(arguments.limit)];
            Ok(apps(snapshot, newest, max_bytes, "read the apps one by one with get_app"))
        }
        CatalogTool::ListDrift => Ok(drift(snapshot, arguments, max_bytes)),
    }
}

/// An object that is returned whole or not at all.
fn whole(json: Bytes, max_bytes: usize, tool: CatalogTool) -> Result<Returned, String> {
    if json.len() <= max_bytes {
        return Ok(Returned { json, note: None });
    }
    let elsewhere = match tool {
        CatalogTool::GetAppSources => "; GET /apps/{slug}/sources of the HTTP interface has it all",
        CatalogTool::ListCategories => "; GET /apps of the HTTP interface has it all",
        _ => "",
    };
    Err(format!(
        "The result is {} bytes long, and a tool returns {max_bytes} at most{elsewhere}",
        json.len()
    ))
}

/// As many of the apps as there is room for, under `result`.
fn apps(snapshot: &Snapshot, positions: &[u32], max_bytes: usize, advice: &str) -> Returned {
    let rows = snapshot.apps().rows();
    let lengths = positions.iter().map(|position| rows.row(*position).len() + 1);
    let shown = fitting(lengths, max_bytes.saturating_sub(r#"{"result":[]}"#.len()));
    let json = [br#"{"result":["#, &rows.gather(&positions[..shown])[..], b"]}"].concat();
    let note = (shown < positions.len()).then(|| {
        format!("Only the first {shown} of {} apps fit into a result: {advice}.", positions.len())
    });
    Returned { json: json.into(), note }
}

/// A page of drift with as many entries as there is room for.
fn drift(snapshot: &Snapshot, arguments: &Arguments, max_bytes: usize) -> Returned {
    let filter = Filter {
        vendor: arguments.vendor.clone(),
        source: arguments.source.clone(),
        exclude_source: None,
    };
    let page = snapshot.drift_page(&filter, arguments.limit, arguments.offset);
    let whole = snapshot.body(Resource::Drift(page));
    let there = page.total.saturating_sub(page.offset).min(page.limit);
    if whole.length() <= max_bytes {
        return Returned { json: whole.concat().into(), note: None };
    }
    // Halving finds a page that fits in a few steps; entries are of much the same length.
    let mut limit = there;
    let json = loop {
        limit /= 2;
        let body = snapshot.body(Resource::Drift(Page { limit, ..page }));
        if limit == 0 || body.length() <= max_bytes {
            break body.concat();
        }
    };
    let note = format!(
        "Only the first {limit} of {there} entries fit into a result: call again with offset {} for the next ones.",
        page.offset.saturating_add(limit)
    );
    Returned { json: json.into(), note: Some(note) }
}

/// How many of these lengths fit.
fn fitting(lengths: impl Iterator<Item = usize>, room: usize) -> usize {
    let mut used = 0;
    lengths
        .take_while(|length| {
            used += length;
            used <= room
        })
        .count()
}
