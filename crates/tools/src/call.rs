//! Runs a tool on a snapshot.

use appstitch_snapshot::{
    ChangeFilter, ChangesRequest, Filter, LabelForm, Page, ReadError, Resource, Snapshot,
};
use appstitch_types::{ChangeKind, RECORD_FIELDS};
use bytes::Bytes;
use jiff::Timestamp;

use crate::{
    arguments::ToolArguments,
    definition::{CatalogTool, ToolOutput},
    inventory,
};

/// Runs a tool; the error is a message for the caller.
pub(crate) fn call(
    snapshot: &Snapshot,
    tool: CatalogTool,
    arguments: &ToolArguments,
    max_bytes: usize,
) -> Result<ToolOutput, String> {
    let message = |error: ReadError| error.to_string();
    match tool {
        CatalogTool::GetCatalogSummary => whole(snapshot.summary().clone(), max_bytes, tool),
        CatalogTool::ListCategories => whole(snapshot.categories().clone(), max_bytes, tool),
        CatalogTool::GetApp => {
            let resource = snapshot.app(&arguments.slug).map_err(message)?;
            whole(snapshot.body(resource).concat().into(), max_bytes, tool)
        }
        CatalogTool::GetAppSources => {
            let resource = snapshot.app_sources(&arguments.slug).map_err(message)?;
            whole(snapshot.body(resource).concat().into(), max_bytes, tool)
        }
        CatalogTool::GenerateLabel => {
            let json =
                snapshot.generated_label(&arguments.slug, LabelForm::Json).map_err(message)?;
            whole(json, max_bytes, tool)
        }
        CatalogTool::FindApp => find(snapshot, arguments, max_bytes),
        CatalogTool::SearchApps => {
            let found = snapshot.search(&arguments.query, arguments.limit);
            let advice = "use a longer query, or read the apps one by one with get_app";
            Ok(apps(snapshot, &found, max_bytes, advice))
        }
        CatalogTool::ListRecentChanges => {
            let newest = snapshot.recent();
            let newest = &newest[..newest.len().min(arguments.limit)];
            Ok(apps(snapshot, newest, max_bytes, "read the apps one by one with get_app"))
        }
        CatalogTool::ListDrift => Ok(drift(snapshot, arguments, max_bytes)),
        CatalogTool::ListChanges => changes(snapshot, arguments, max_bytes),
        CatalogTool::CheckInventory => inventory::check(snapshot, arguments, max_bytes),
    }
}

/// Returns an object if it fits; objects are never truncated.
fn whole(json: Bytes, max_bytes: usize, tool: CatalogTool) -> Result<ToolOutput, String> {
    if json.len() <= max_bytes {
        return Ok(ToolOutput { json, note: None });
    }
    let elsewhere = match tool {
        CatalogTool::GetAppSources => "; use GET /apps/{slug}/sources of the HTTP API instead",
        CatalogTool::ListCategories => "; use GET /apps of the HTTP API instead",
        _ => "",
    };
    Err(format!(
        "the result has {} bytes, but the limit is {max_bytes} bytes{elsewhere}",
        json.len()
    ))
}

/// The maximum length of a query, in characters.
const LONGEST_QUERY: usize = 200;

/// A page of what a search finds, with as many hits as fit into `max_bytes`.
fn find(
    snapshot: &Snapshot,
    arguments: &ToolArguments,
    max_bytes: usize,
) -> Result<ToolOutput, String> {
    let ToolArguments { query, limit, offset, .. } = arguments;
    if query.chars().nth(LONGEST_QUERY).is_some() {
        return Err(format!(
            "query: the text is too long; the limit is {LONGEST_QUERY} characters"
        ));
    }
    let filter = Filter {
        vendor: arguments.vendor.clone(),
        source: arguments.source.clone(),
        ..Filter::default()
    };
    let page = snapshot.find_apps(query, &filter, *limit, *offset);
    let page = page.map_err(|_| "the results cannot be written".to_owned())?;
    let (json, shown) = page.body_within(max_bytes);
    let note = (shown < page.len()).then(|| {
        let (count, next) = (page.len(), offset.saturating_add(shown));
        format!(
            "Only the first {shown} of {count} apps fit into the result; call again with offset {next} to get the next ones."
        )
    });
    Ok(ToolOutput { json, note })
}

/// As many of the apps as fit into `max_bytes`, under `result`.
fn apps(snapshot: &Snapshot, positions: &[u32], max_bytes: usize, advice: &str) -> ToolOutput {
    let rows = snapshot.apps().rows();
    let lengths = positions.iter().map(|position| rows.row(*position).len() + 1);
    let shown = fitting(lengths, max_bytes.saturating_sub(r#"{"result":[]}"#.len()));
    let json = [br#"{"result":["#, &rows.gather(&positions[..shown])[..], b"]}"].concat();
    let note = (shown < positions.len()).then(|| {
        format!("Only the first {shown} of {} apps fit into the result; {advice}.", positions.len())
    });
    ToolOutput { json: json.into(), note }
}

/// A page of drift with as many entries as fit into `max_bytes`.
fn drift(snapshot: &Snapshot, arguments: &ToolArguments, max_bytes: usize) -> ToolOutput {
    let filter = Filter {
        vendor: arguments.vendor.clone(),
        source: arguments.source.clone(),
        ..Filter::default()
    };
    let scope = arguments.scope;
    let page = snapshot.drift_page(scope, &filter, arguments.limit, arguments.offset);
    let whole = snapshot.body(Resource::Drift(scope, page));
    let there = page.total.saturating_sub(page.offset).min(page.limit);
    if whole.length() <= max_bytes {
        return ToolOutput { json: whole.concat().into(), note: None };
    }
    // Entries have similar lengths, so halving finds a page that fits in a few steps.
    let mut limit = there;
    let json = loop {
        limit /= 2;
        let body = snapshot.body(Resource::Drift(scope, Page { limit, ..page }));
        if limit == 0 || body.length() <= max_bytes {
            break body.concat();
        }
    };
    let note = format!(
        "Only the first {limit} of {there} entries fit into the result; call again with offset {} to get the next ones.",
        page.offset.saturating_add(limit)
    );
    ToolOutput { json: json.into(), note: Some(note) }
}

/// A page of changes with as many entries as fit into `max_bytes`.
fn changes(
    snapshot: &Snapshot,
    arguments: &ToolArguments,
    max_bytes: usize,
) -> Result<ToolOutput, String> {
    let word = |name: &str, given: &str, words: &[&str]| {
        if words.contains(&given) {
            return Ok(());
        }
        Err(format!("{name}: expected {}, got \"{given}\"", words.join(", ")))
    };
    if let Some(kind) = &arguments.kind {
        word("kind", kind, &ChangeKind::ALL.map(ChangeKind::word))?;
    }
    if let Some(field) = &arguments.field {
        word("field", field, &RECORD_FIELDS)?;
    }
    let slug = Some(arguments.slug.clone()).filter(|slug| !slug.is_empty());
    let mut request = ChangesRequest {
        since: arguments.since.clone(),
        filter: ChangeFilter {
            vendor: arguments.vendor.clone(),
            slug,
            kind: arguments.kind.as_deref().and_then(ChangeKind::from_word),
            field: arguments.field.clone(),
        },
        limit: arguments.limit,
        squash: false,
    };
    let requested = request.limit;
    loop {
        let page = snapshot
            .changes(&request, Timestamp::now())
            .map_err(|error| format!("since: {error}"))?;
        if page.body.len() <= max_bytes || request.limit <= 1 {
            let note = (request.limit < requested).then(|| {
                let (count, next) = (page.count, &page.next);
                if request.since.is_none() {
                    return format!("Only the newest {count} changes fit into the result.");
                }
                format!("Only {count} changes fit into the result; call again with since \"{next}\" to get the next ones.")
            });
            return Ok(ToolOutput { json: page.body.into(), note });
        }
        request.limit /= 2;
    }
}

/// How many of the first lengths fit into `room`.
fn fitting(lengths: impl Iterator<Item = usize>, room: usize) -> usize {
    let mut used = 0;
    lengths
        .take_while(|length| {
            used += length;
            used <= room
        })
        .count()
}
