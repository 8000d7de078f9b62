//! `appstitch stats` and `appstitch health`: the numbers of a catalog, and whether its server is up.

use appstitch_client::{CatalogStats, Source, SourceStatus};
use serde_json::{Map, Value};

use super::request::{client, failure, get, print_body};
use crate::{
    arguments::StatsArguments,
    exit::Failure,
    table::{Column, Look, cell},
};

pub(crate) async fn stats(arguments: StatsArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let raw = get(&client, "stats", &[]).await?;
    if arguments.read.json {
        return print_body(&raw.body);
    }
    let stats: CatalogStats = raw.decode().map_err(failure)?;
    let columns = [Column::whole("STATISTIC"), Column::whole("VALUE")];
    let mut table = Look::of(arguments.read.color).table(columns);
    // A listing is no source of an app's record, so the statistics do not count it.
    let status = client.get_source_status().await;
    let sources = status.map(|status| status.sources).unwrap_or_default();
    let is_listing = |status: &&SourceStatus| status.source == Source::StoreListing.token();
    let listings = sources.iter().find(is_listing).map(|listing| listing.apps);
    let numbers = [
        ("apps", Some(stats.total_apps)),
        ("with an Installomator label", Some(stats.sources.label_tool)),
        ("with a Homebrew cask", Some(stats.sources.cask_catalog)),
        ("with AutoPkg recipes", Some(stats.sources.recipe_index)),
        ("with an App Store listing", listings),
        ("with a Jamf App Installers title", Some(stats.sources.mdm_installer)),
        ("manual records", Some(stats.manual_records)),
    ];
    for (what, number) in numbers {
        let number = number.map(|number| number.to_string());
        table.add_row([cell(Some(what)), cell(number.as_deref())]);
    }
    let refreshed = stats.last_refresh.map(|time| time.to_string());
    table.add_row([cell(Some("last refresh")), cell(refreshed.as_deref())]);
    table.add_row([cell(Some("revision")), cell(stats.catalog_version.as_deref())]);
    table.print()
}

pub(crate) async fn health(arguments: StatsArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let raw = get(&client, "health", &[]).await?;
    if arguments.read.json {
        return print_body(&raw.body);
    }
    let health: Map<String, Value> = raw.decode().map_err(failure)?;
    let columns = [Column::whole("WHAT"), Column::whole("VALUE")];
    let mut table = Look::of(arguments.read.color).table(columns);
    for (what, value) in &health {
        if let Some(sources) = value.as_object() {
            for (source, told) in sources {
                table.add_row([cell(Some(source)), cell(Some(&in_words(told)))]);
            }
            continue;
        }
        // A number without quotes.
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        table.add_row([cell(Some(&what.replace('_', " "))), cell(Some(&value))]);
    }
    table.print()
}

/// The values of an object in one line.
fn in_words(told: &Value) -> String {
    let parts = told.as_object().into_iter().flatten().map(|(what, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!("{} {value}", what.trim_end_matches("_at").replace('_', " "))
    });
    parts.collect::<Vec<_>>().join(", ")
}
