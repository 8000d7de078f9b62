//! `appstitch drift`: which sources are out of date.

use std::time::Duration;

use anyhow::anyhow;
use appstitch_client::{Client, DriftEntry, DriftQuery};
use futures_util::TryStreamExt;

use super::{
    app_path, client, failure, print_body, print_json, print_raw,
    table::{self, Look, bad, cell, good, unsure},
    unknown,
};
use crate::{arguments::DriftArguments, exit::Failure};

pub(crate) async fn run(arguments: DriftArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let look = Look::of(arguments.read.color);
    let found = match (&arguments.slug, arguments.watch) {
        (Some(slug), _) => of_app(&client, slug, arguments.read.json, look).await?,
        (None, Some(seconds)) => return watch(&client, &arguments, seconds, look).await,
        (None, None) => of_catalog(&client, &arguments, look).await?,
    };
    if found && arguments.fail_on_drift {
        return Err(Failure::no(anyhow!("there is drift")));
    }
    Ok(())
}

fn query(arguments: &DriftArguments) -> DriftQuery {
    DriftQuery {
        vendor: arguments.vendor.clone(),
        source: arguments.source.clone(),
        limit: arguments.page.limit,
        offset: arguments.page.offset,
    }
}

/// Shows one app's drift; returns whether there is some.
async fn of_app(client: &Client, slug: &str, json: bool, look: Look) -> Result<bool, Failure> {
    let entry = client.get_app_drift(slug).await.map_err(failure)?;
    if json {
        print_raw(client, slug, &app_path(slug, "/drift")).await?;
    } else if let Some(entry) = &entry {
        show(std::slice::from_ref(entry), look)?;
    } else if client.get_app(slug).await.map_err(failure)?.is_some() {
        eprintln!("the sources of '{slug}' agree, or only one of them tells a version");
    } else {
        return Err(unknown(client, slug).await);
    }
    Ok(entry.is_some())
}

/// Shows a page of drift, or all of it; returns whether there is some.
async fn of_catalog(
    client: &Client,
    arguments: &DriftArguments,
    look: Look,
) -> Result<bool, Failure> {
    let query = query(arguments);
    if arguments.page.all {
        let entries: Vec<DriftEntry> =
            client.all_drift(query).try_collect().await.map_err(failure)?;
        if arguments.read.json {
            print_json(&entries)?;
        } else {
            show(&entries, look)?;
        }
        return Ok(!entries.is_empty());
    }
    let page = client.list_drift(&query).await.map_err(failure)?;
    if arguments.read.json {
        let body = client.get_raw("apps/drift", &query.pairs()).await.map_err(failure)?;
        print_body(&body.unwrap_or_default())?;
    } else {
        show(&page.entries, look)?;
        eprintln!("{} of {} compared apps drift", page.total_with_drift, page.total_scanned);
    }
    Ok(page.total_with_drift > 0)
}

/// Shows all drift, and again whenever it changes. An unchanged catalog costs an empty answer.
async fn watch(
    client: &Client,
    arguments: &DriftArguments,
    seconds: u64,
    look: Look,
) -> Result<(), Failure> {
    let mut last: Option<Vec<DriftEntry>> = None;
    let mut ticks = tokio::time::interval(Duration::from_secs(seconds.max(1)));
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            _ = tokio::signal::ctrl_c() => return Ok(()),
        }
        let entries: Vec<DriftEntry> = match client.all_drift(query(arguments)).try_collect().await
        {
            Ok(entries) => entries,
            // The first look must work; later on a server may be away for a while.
            Err(error) if last.is_none() => return Err(failure(error)),
            Err(error) => {
                eprintln!("warning: {error}");
                continue;
            }
        };
        if last.as_ref() == Some(&entries) {
            continue;
        }
        if arguments.read.json {
            print_json(&entries)?;
        } else {
            show(&entries, look)?;
            eprintln!("{} apps drift; looking again every {seconds} seconds", entries.len());
        }
        last = Some(entries);
    }
}

fn show(entries: &[DriftEntry], look: Look) -> Result<(), Failure> {
    let mut table = look.table(&["SLUG", "NAME", "LABEL_TOOL", "CASK_CATALOG", "BEHIND"]);
    for entry in entries {
        let version = |source: &str| {
            let stated = entry.versions.iter().find(|stated| stated.source == source);
            match stated.map(|stated| stated.version.as_str()) {
                Some(text) if entry.leader.as_deref() == Some(source) => good(text),
                Some(text) if entry.laggard.as_deref() == Some(source) => bad(text),
                Some(text) => unsure(text),
                None => cell(None),
            }
        };
        table.add_row([
            cell(Some(&entry.slug)),
            cell(Some(&entry.name)),
            version("label_tool"),
            version("cask_catalog"),
            cell(entry.laggard.as_deref()),
        ]);
    }
    table::print(&table)
}
