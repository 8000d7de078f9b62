//! `appstitch stats`: the catalog in numbers.

use super::{
    client, failure, print_body,
    table::{self, Look, cell},
};
use crate::{arguments::StatsArguments, exit::Failure};

pub(crate) async fn run(arguments: StatsArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    if arguments.read.json {
        let body = client.get_raw("stats", &[]).await.map_err(failure)?;
        return print_body(&body.unwrap_or_default());
    }
    let stats = client.get_stats().await.map_err(failure)?;
    let mut table = Look::of(arguments.read.color).table(&["WHAT", "VALUE"]);
    let numbers = [
        ("apps", stats.total_apps),
        ("with label_tool", stats.sources.label_tool),
        ("with cask_catalog", stats.sources.cask_catalog),
        ("with recipe_index", stats.sources.recipe_index),
        ("with mdm_installer", stats.sources.mdm_installer),
    ];
    for (what, number) in numbers {
        table.add_row([cell(Some(what)), cell(Some(&number.to_string()))]);
    }
    let refreshed = stats.last_refresh.map(|time| time.to_string());
    table.add_row([cell(Some("last refresh")), cell(refreshed.as_deref())]);
    table.add_row([cell(Some("revision")), cell(stats.catalog_version.as_deref())]);
    table::print(&table)
}
