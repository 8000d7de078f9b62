//! `appstitch stats` and `appstitch health`: the numbers of a catalog, and whether its server is up.

use appstitch_client::CatalogStats;
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
    let numbers = [
        ("apps", stats.total_apps),
        ("with an Installomator label", stats.sources.label_tool),
        ("with a Homebrew cask", stats.sources.cask_catalog),
        ("with AutoPkg recipes", stats.sources.recipe_index),
        ("with a Jamf App Installers title", stats.sources.mdm_installer),
        ("manual records", stats.manual_records),
    ];
    for (what, number) in numbers {
        table.add_row([cell(Some(what)), cell(Some(&number.to_string()))]);
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
