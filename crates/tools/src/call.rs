//! Runs a tool on a snapshot.

mod categories;
mod exports;
mod names;
mod payloads;

use appstitch_publish::Publisher;
use appstitch_snapshot::{
    ChangeFilter, ChangesRequest, Filter, LabelForm, Page, ReadError, Resource, Snapshot,
};
use appstitch_types::{ChangeKind, RECORD_FIELDS, Source, VersionComparison};
use appstitch_versions::compare_versions;
use bytes::Bytes;
use jiff::Timestamp;

use self::names::{
    follow_alias, unknown_drift_source, unknown_source, unknown_vendor, with_similar_apps,
};
use crate::{
    arguments::ToolArguments,
    definition::{CatalogTool, ToolOutput},
    inventory,
};

/// Runs a tool; the error is a message for the caller. What has to be said about the names in the call
/// comes before other notes.
pub(crate) fn call(
    publisher: &Publisher,
    tool: CatalogTool,
    mut arguments: ToolArguments,
    max_bytes: usize,
) -> Result<ToolOutput, String> {
    let snapshot = &*publisher.current();
    let followed = follow_alias(snapshot, &mut arguments.slug);
    let source = arguments.source.as_deref();
    let source = match tool {
        CatalogTool::ListDrift => unknown_drift_source(arguments.scope, source),
        _ => unknown_source(source),
    };
    let vendor = unknown_vendor(snapshot, arguments.vendor.as_deref());
    let mut output = run(publisher, snapshot, tool, &arguments, max_bytes)
        .map_err(|message| with_similar_apps(snapshot, &arguments.slug, message))?;
    output.notes.splice(..0, [followed, vendor, source].into_iter().flatten());
    Ok(output)
}

fn run(
    publisher: &Publisher,
    snapshot: &Snapshot,
    tool: CatalogTool,
    arguments: &ToolArguments,
    max_bytes: usize,
) -> Result<ToolOutput, String> {
    let message = |error: ReadError| error.to_string();
    let whole = |json: Bytes| whole(json, max_bytes);
    let body = |resource: Result<Resource, ReadError>| {
        resource.map(|resource| Bytes::from(snapshot.body(resource).concat())).map_err(message)
    };
    let ToolArguments { slug, limit, offset, .. } = arguments;
    match tool {
        CatalogTool::GetCatalogSummary => whole(snapshot.summary().clone()),
        CatalogTool::GetSourceStatus => whole(publisher.source_status()),
        CatalogTool::ListCategories => {
            categories::page(snapshot.categories(), *limit, *offset, max_bytes)
        }
        CatalogTool::GetApp => {
            let app = whole(body(snapshot.app(slug))?)?;
            let details = body(snapshot.app_details(slug))?;
            Ok(ToolOutput { notes: names::deprecation(&details).into_iter().collect(), ..app })
        }
        CatalogTool::GetAppDetails => whole(body(snapshot.app_details(slug))?),
        CatalogTool::GetAppProvenance => whole(body(snapshot.app_provenance(slug))?),
        CatalogTool::GetAppHistory => {
            let history = snapshot.history(slug).map_err(message)?;
            whole(serde_json::to_vec(&history).map_err(|error| error.to_string())?.into())
        }
        CatalogTool::GetAppSources => {
            let only = arguments.source.as_deref().and_then(Source::from_token);
            payloads::fitting(body(snapshot.app_sources(slug))?, only, max_bytes)
        }
        CatalogTool::GenerateLabel => {
            whole(snapshot.generated_label(slug, LabelForm::Json).map_err(message)?)
        }
        CatalogTool::ExportApp => exports::export(snapshot, slug, &arguments.format, max_bytes),
        CatalogTool::FindApp => find(snapshot, arguments, max_bytes),
        CatalogTool::SearchApps => {
            let found = snapshot.search(&arguments.query, *limit);
            let advice = "use a longer query, or read the apps one by one with get_app";
            Ok(apps(snapshot, &found, max_bytes, advice))
        }
        CatalogTool::ListRecentChanges => {
            let newest = snapshot.recent();
            let newest = &newest[..newest.len().min(*limit)];
            Ok(apps(snapshot, newest, max_bytes, "read the apps one by one with get_app"))
        }
        CatalogTool::ListDrift => Ok(drift(snapshot, arguments, max_bytes)),
        CatalogTool::ListChanges => changes(snapshot, arguments, max_bytes),
        CatalogTool::CheckInventory => inventory::check(snapshot, arguments, max_bytes),
        CatalogTool::CompareVersions => {
            let (a, b) = (version("a", &arguments.a)?, version("b", &arguments.b)?);
            let compared = serde_json::to_vec(&compare_versions(a, b));
            whole(compared.map_err(|error| error.to_string())?.into())
        }
    }
}

/// Returns an object if it fits.
fn whole(json: Bytes, max_bytes: usize) -> Result<ToolOutput, String> {
    if json.len() <= max_bytes {
        return Ok(ToolOutput::of(json));
    }
    Err(format!("the result has {} bytes, but the limit is {max_bytes} bytes", json.len()))
}

fn version<'a>(name: &str, text: &'a str) -> Result<&'a str, String> {
    let longest = VersionComparison::LONGEST;
    match text.chars().nth(longest) {
        Some(_) => Err(format!("{name}: the text is too long; the limit is {longest} characters")),
        None if text.is_empty() => Err(format!("{name}: expected a version, got an empty string")),
        None => Ok(text),
    }
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
    Ok(ToolOutput { json, notes: note.into_iter().collect() })
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
    ToolOutput { json: json.into(), notes: note.into_iter().collect() }
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
        return ToolOutput::of(whole.concat().into());
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
    ToolOutput { json: json.into(), notes: vec![note] }
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
            return Ok(ToolOutput { json: page.body.into(), notes: note.into_iter().collect() });
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
