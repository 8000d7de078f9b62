//! `appstitch sources`: the state of the sources, or a summary of the sources of an app.

use appstitch_client::{AppSources, Client, SourceStatus, SourceStatusResponse};
use appstitch_stitching::Agreement;
use appstitch_types::{Payload, Source};

use super::request::{client, failure, get, get_of_app, print_body};
use crate::{
    arguments::SourcesArguments,
    exit::Failure,
    table::{Column, Look, Table, cell},
};

pub(crate) async fn run(arguments: SourcesArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let Some(slug) = &arguments.slug else {
        return show_status(&client, &arguments).await;
    };
    let raw = get_of_app(&client, slug, "/sources", &[]).await?;
    if arguments.read.json {
        return print_body(&raw.body);
    }
    let sources: AppSources = raw.decode().map_err(failure)?;
    table(&sources, Look::of(arguments.read.color)).print()
}

fn table(sources: &AppSources, look: Look) -> Table {
    let mut table = look.table([
        Column::whole("SOURCE"),
        Column::whole("ENTRY"),
        Column::whole("VERSION"),
        Column::optional("FROM", 1),
    ]);
    // The version of a label may be a shell expression.
    let stated = Agreement::of(sources).versions;
    for source in Source::ALL {
        let mut row = |entry: &str, version: Option<&str>, from: Option<&str>| {
            let source = cell(Some(source.token()));
            table.add_row([source, cell(Some(entry)), cell(version), cell(from)]);
        };
        let version = stated.iter().find(|stated| stated.source == source.token());
        let version = version.map(|stated| stated.version.as_str());
        match sources.payload(source) {
            None => {}
            Some(Payload::Recipes(index)) => {
                for recipe in &index.recipes {
                    row(&recipe.identifier, None, Some(&recipe.repo));
                }
            }
            Some(payload) => row(&payload.id(), version, from(payload).as_deref()),
        }
    }
    table
}

/// Where the entry's download or page is; who offers it, for a title.
fn from(payload: Payload<'_>) -> Option<String> {
    if let Payload::Cask(cask) = payload {
        return Some(cask.entry_json.read().get("url")?.as_str()?.to_owned());
    }
    if let Payload::Title(title) = payload {
        return Some(title.source.clone());
    }
    payload.page().map(ToString::to_string)
}

/// What each source contributes, and how recent it is.
async fn show_status(client: &Client, arguments: &SourcesArguments) -> Result<(), Failure> {
    let raw = get(client, "sources", &[]).await?;
    if arguments.read.json {
        return print_body(&raw.body);
    }
    let status: SourceStatusResponse = raw.decode().map_err(failure)?;
    let mut table = Look::of(arguments.read.color).table([
        Column::whole("SOURCE"),
        Column::optional("ENTRIES", 2),
        Column::optional("APPS", 3),
        Column::whole("RECEIVED"),
        Column::whole("CHANGED"),
        Column::optional("REJECTED", 1),
    ]);
    for source in &status.sources {
        let received = source.received_at.map(|time| time.to_string());
        let changed = source.changed_at.map(|time| time.to_string());
        let rejected = source.rejected.map(|count| count.to_string());
        table.add_row([
            cell(Some(&source.source)),
            cell(Some(&source.documents.to_string())),
            cell(Some(&source.apps.to_string())),
            cell(received.as_deref()),
            cell(changed.as_deref()),
            cell(rejected.as_deref()),
        ]);
    }
    table.print()?;
    if arguments.verbose {
        for source in &status.sources {
            tell_refresh(source);
        }
    }
    Ok(())
}

/// How refreshing a source went, in lines.
fn tell_refresh(status: &SourceStatus) {
    let source = &status.source;
    let Some(refresh) = &status.refresh else {
        println!("{source}: the server does not refresh it");
        return;
    };
    let succeeded = match refresh.succeeded_at {
        Some(time) => format!("succeeded {time}"),
        None => "never succeeded".to_owned(),
    };
    println!("{source}: tried {}, {succeeded}, next {}", refresh.tried_at, refresh.next_at);
    if let Some(problem) = &refresh.problem {
        println!("  failed: {problem}");
    }
    for reject in &refresh.rejects {
        println!("  rejected: {}: {}", reject.what, reject.why);
    }
}
