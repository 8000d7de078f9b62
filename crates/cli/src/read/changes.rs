//! `appstitch changes`: what changed in the catalog.

use appstitch_client::{AppChange, ChangeKind, ChangesQuery, ChangesResponse, Client};
use futures_util::TryStreamExt;
use serde_json::Value;

use super::request::{client, failure, get, print_body, print_json};
use crate::{
    arguments::ChangesArguments,
    exit::Failure,
    table::{Column, Look, bad, cell, good},
};

pub(crate) async fn run(arguments: ChangesArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let query = query(&arguments);
    let page = if arguments.all {
        let page = all(&client, query).await?;
        if arguments.read.json {
            print_json(&page)?;
        }
        page
    } else {
        first(&client, query, arguments.read.json).await?
    };
    if !arguments.read.json {
        show(&page, Look::of(arguments.read.color))?;
        let more = if page.more { "there are more changes; " } else { "" };
        eprintln!("{more}go on later with --since {}", page.next);
    }
    Ok(())
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

/// The first page that has changes, or the last one. A page of squashed changes can be empty although
/// there are more.
async fn first(
    client: &Client,
    mut query: ChangesQuery,
    is_json: bool,
) -> Result<ChangesResponse, Failure> {
    loop {
        let raw = get(client, "changes", &query.pairs()).await?;
        let page: ChangesResponse = raw.decode().map_err(failure)?;
        if page.more && page.changes.is_empty() && query.since.as_ref() != Some(&page.next) {
            query.since = Some(page.next);
            continue;
        }
        if is_json {
            print_body(&raw.body)?;
        }
        return Ok(page);
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

fn show(page: &ChangesResponse, look: Look) -> Result<(), Failure> {
    let mut table = look.table([
        Column::whole("TIME"),
        Column::whole("SLUG"),
        Column::whole("CHANGE"),
        Column::cut("FROM"),
        Column::cut("TO"),
        Column::optional("OTHER FIELDS", 1),
    ]);
    for change in &page.changes {
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
