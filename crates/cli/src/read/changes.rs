//! `appstitch changes`: what changed in the catalog.

use std::cmp::Reverse;

use appstitch_client::{AppChange, ChangeKind, ChangesQuery, ChangesResponse, Client};
use futures_util::TryStreamExt;
use serde_json::Value;

use super::{
    request::{client, failure, get, print_body, print_json},
    vendor::unknown_vendor,
};
use crate::{
    arguments::ChangesArguments,
    exit::Failure,
    table::{Column, Look, bad, cell, good},
};

/// The most changes that a server sends at once.
const MOST: u32 = 1000;

pub(crate) async fn run(arguments: ChangesArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let query = query(&arguments);
    match (arguments.read.json, arguments.all) {
        (true, true) => print_json(&all(&client, query).await?),
        (true, false) => print_first(&client, query).await,
        (false, _) => show_newest(&client, query, &arguments).await,
    }
}

/// Shows the newest changes first, because a list may be longer than a window.
async fn show_newest(
    client: &Client,
    query: ChangesQuery,
    arguments: &ChangesArguments,
) -> Result<(), Failure> {
    let is_since = query.since.is_some();
    let found = if is_since {
        all(client, query).await?
    } else {
        // One more than is shown says whether there are more.
        let limit = query.limit.saturating_add(1).min(MOST);
        client.list_changes(&ChangesQuery { limit, ..query }).await.map_err(failure)?
    };
    let total = found.changes.len();
    let mut changes = newest_first(&found.changes);
    if !arguments.all {
        changes.truncate(arguments.limit as usize);
    }
    if changes.is_empty() {
        eprintln!("No changes found");
        if let Some(hint) = unknown_vendor(client, arguments.vendor.as_deref()).await {
            eprintln!("hint: {hint}");
        }
    } else {
        show(&changes, Look::of(arguments.read.color))?;
    }
    let shown = changes.len();
    if is_since && shown < total {
        eprintln!("showing the newest {shown} of {total}; use --limit or --all");
    } else if !is_since && (shown < total || total == MOST as usize) {
        eprintln!("showing the newest {shown}; use --limit or --since for older ones");
    }
    eprintln!("continue from here with --since {}", found.next);
    Ok(())
}

/// The last change first, as on the page of changes.
fn newest_first(changes: &[AppChange]) -> Vec<&AppChange> {
    let mut changes: Vec<&AppChange> = changes.iter().collect();
    changes.sort_by_key(|change| Reverse(change.seq));
    changes
}

fn query(arguments: &ChangesArguments) -> ChangesQuery {
    ChangesQuery {
        since: arguments.since.clone(),
        vendor: arguments.vendor.clone(),
        slug: arguments.slug.clone(),
        // The parser of the command line lets no other words through.
        kind: arguments.kind.as_deref().and_then(ChangeKind::from_word),
        field: arguments.field.clone(),
        squash: arguments.squash,
        limit: arguments.limit,
    }
}

/// Prints the first page that has changes, or the last one. A page of squashed changes can be empty
/// although there are more.
async fn print_first(client: &Client, mut query: ChangesQuery) -> Result<(), Failure> {
    loop {
        let raw = get(client, "changes", &query.pairs()).await?;
        let page: ChangesResponse = raw.decode().map_err(failure)?;
        if page.more && page.changes.is_empty() && query.since.as_ref() != Some(&page.next) {
            query.since = Some(page.next);
            continue;
        }
        return print_body(&raw.body);
    }
}

async fn all(client: &Client, query: ChangesQuery) -> Result<ChangesResponse, Failure> {
    let mut pages = std::pin::pin!(client.changes_pages(query));
    let mut whole: Option<ChangesResponse> = None;
    while let Some(page) = pages.try_next().await.map_err(failure)? {
        whole = Some(match whole {
            None => page,
            Some(mut whole) => {
                whole.changes.extend(page.changes);
                ChangesResponse { from: whole.from, changes: whole.changes, ..page }
            }
        });
    }
    whole.ok_or_else(|| Failure::answer("The server sent no page"))
}

fn show(changes: &[&AppChange], look: Look) -> Result<(), Failure> {
    let mut table = look.table([
        Column::whole("TIME"),
        Column::whole("SLUG"),
        Column::whole("CHANGE"),
        Column::cut("FROM"),
        Column::cut("TO"),
        Column::optional("OTHER FIELDS", 1),
    ]);
    for change in changes {
        let (from, to) = values(change);
        let others: Vec<&str> = match change.kind {
            ChangeKind::Added | ChangeKind::Removed => Vec::new(),
            _ => change
                .fields
                .keys()
                .map(String::as_str)
                .filter(|name| !is_shown(change, name))
                .collect(),
        };
        let others = others.join(", ");
        table.add_row([
            cell(Some(&change.at.to_string())),
            cell(Some(&change.slug)),
            cell(Some(change.kind.word())),
            from.as_deref().map_or_else(|| cell(None), bad),
            to.as_deref().map_or_else(|| cell(None), good),
            cell(Some(others.as_str()).filter(|others| !others.is_empty())),
        ]);
    }
    table.print()
}

/// Whether the columns show a field: the slug of a renamed app, otherwise its version.
fn is_shown(change: &AppChange, name: &str) -> bool {
    name == if change.kind == ChangeKind::Renamed { "slug" } else { "current_version" }
}

fn values(change: &AppChange) -> (Option<String>, Option<String>) {
    let shown = change.fields.iter().find(|(name, _)| is_shown(change, name));
    let text = |value: &Value| value.as_str().map(str::to_owned);
    shown.map_or((None, None), |(_, values)| (text(&values.from), text(&values.to)))
}
