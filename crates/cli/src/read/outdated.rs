//! `appstitch outdated`: installed apps, checked against the catalog.

mod list;

use anyhow::anyhow;
use appstitch_budget::{Budget, Exceeded};
use appstitch_client::{CheckedApp, InventoryQuery, InventoryReport, Verdict};
use appstitch_inventory::check::CheckOptions;
use appstitch_inventory::{Inventory, InventoryError, csv};
use appstitch_store::StoreAddress;
use appstitch_types::Uri;
use reqwest::StatusCode;

use super::request::{client, failure, print_json};
use crate::{
    arguments::OutdatedArguments,
    exit::{self, Failure},
    open_store,
    table::{Cell, Column, Look, bad, cell, good, unsure},
};

pub(crate) async fn run(arguments: OutdatedArguments) -> Result<(), Failure> {
    let list = list::read(arguments.file.as_deref()).await?;
    let mut report = if let Some(store) = &arguments.store {
        check_with_store(list, store, arguments.suggest).await?
    } else {
        let query = InventoryQuery { suggest: arguments.suggest, ..InventoryQuery::default() };
        let client = client(&arguments.server)?;
        client.check_inventory(list, &query).await.map_err(|error| match error.status {
            // The parameters are valid, so the file is not a list of apps.
            Some(StatusCode::UNPROCESSABLE_ENTITY) => Failure::no(error),
            _ => failure(error),
        })?
    };
    if !arguments.all {
        report.apps.retain(|app| app.verdict == Verdict::Outdated);
    }
    if arguments.json {
        print_json(&report)?;
    } else if arguments.csv {
        print_csv(&report.apps)?;
    } else {
        show(&report.apps, arguments.all, Look::of(arguments.color))?;
    }
    let summary = summary(&report);
    if arguments.fail_on_outdated && report.totals.outdated > 0 {
        return Err(Failure::outdated(summary));
    }
    if !arguments.json {
        eprintln!("{summary}");
    }
    Ok(())
}

async fn check_with_store(
    list: Vec<u8>,
    store: &StoreAddress,
    suggest: bool,
) -> Result<InventoryReport, Failure> {
    let mut budget = Budget::new(appstitch_inventory::LIMITS);
    let Inventory { apps, formats, skipped } =
        appstitch_inventory::read(&list, &mut budget).map_err(Failure::no)?;
    let publisher = open_store::reader(store).await?;
    let snapshot = publisher.current();
    let check = move || {
        let version = snapshot.revision().map(|_| snapshot.token().to_owned());
        let options = CheckOptions { suggest };
        let checked = snapshot.check_installed(apps, options, &mut budget)?;
        Ok::<_, Exceeded>(InventoryReport::new(version, checked.into_iter().collect()))
    };
    let report = tokio::task::spawn_blocking(check).await;
    let report = report.map_err(|_| Failure::unreachable(anyhow!("the check failed")))?;
    let report = report.map_err(|exceeded| Failure::no(InventoryError::from(exceeded)))?;
    let formats = formats.iter().map(|format| format.name().to_owned()).collect();
    Ok(InventoryReport { formats, skipped, ..report })
}

fn print_csv(apps: &[CheckedApp]) -> Result<(), Failure> {
    let mut table = csv::HEADER.as_bytes().to_vec();
    for app in apps {
        csv::write_row(&mut table, app);
    }
    exit::print(&String::from_utf8_lossy(&table))
}

/// Shows what to update, from and to which version, and where it is from.
fn show(apps: &[CheckedApp], all: bool, look: Look) -> Result<(), Failure> {
    let has_hosts = apps.iter().any(|app| app.host.is_some());
    let mut columns = vec![Column::cut("APP"), Column::whole("SLUG")];
    if all {
        columns.push(Column::whole("VERDICT"));
    }
    columns.extend([Column::whole("INSTALLED"), Column::whole("NEWEST")]);
    if has_hosts {
        columns.insert(0, Column::whole("HOST"));
    }
    columns.push(Column::optional("DOWNLOAD", 1));
    let mut table = look.table(columns);
    for app in apps {
        let name = app.name.as_deref().or(app.slug.as_deref());
        let mut row = vec![cell(name), slug(app)];
        if all {
            row.push(verdict(app.verdict));
        }
        row.push(installed(app));
        row.push(cell(app.newest_version.as_deref()));
        if has_hosts {
            row.insert(0, cell(app.host.as_deref()));
        }
        row.push(cell(app.download_url.as_ref().map(Uri::as_str)));
        table.add_row(row);
    }
    table.print()
}

/// The app of the catalog, or those that it may be.
fn slug(app: &CheckedApp) -> Cell {
    if let Some(slug) = &app.slug {
        return cell(Some(slug));
    }
    match (app.slugs.as_slice(), app.did_you_mean.as_slice()) {
        ([], []) => cell(None),
        ([], similar) => unsure(&format!("{}?", similar.join(" or "))),
        (several, _) => unsure(&several.join(" or ")),
    }
}

fn verdict(verdict: Verdict) -> Cell {
    match verdict {
        Verdict::Current => good(verdict.word()),
        Verdict::Outdated => bad(verdict.word()),
        Verdict::Ambiguous => unsure(verdict.word()),
        _ => cell(Some(verdict.word())),
    }
}

fn installed(app: &CheckedApp) -> Cell {
    match &app.installed_version {
        Some(version) if app.verdict == Verdict::Outdated => bad(version),
        version => cell(version.as_deref()),
    }
}

fn summary(report: &InventoryReport) -> String {
    let totals = &report.totals;
    let compared = totals.rows - totals.system - totals.ignored;
    format!(
        "{} of {compared} apps are outdated; {} are not in the catalog, {} are ambiguous",
        totals.outdated, totals.unmatched, totals.ambiguous
    )
}
