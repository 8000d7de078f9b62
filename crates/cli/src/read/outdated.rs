//! `appstitch outdated`: installed apps, checked against the catalog.

mod list;

use anyhow::anyhow;
use appstitch_budget::{Budget, Exceeded};
use appstitch_client::{
    CheckRule, CheckedApp, InventoryQuery, InventoryReport, InventoryTotals, Verdict,
};
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
    table::{Cell, Column, Look, bad, cell, deprecation, good, unsure},
    words::{any_of, counted, is_or_are},
};

const SELF_UPDATING: &str = "Homebrew may not know the versions of apps that update themselves; \
                             `brew info --json=v2 --installed --cask` or `system_profiler` does";

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
    let knows_only_installs = knows_only_installs(&report.apps);
    let deprecated = report.apps.iter().filter(|app| app.deprecated).count() as u64;
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
    let mut summary = summary(&report.totals);
    if deprecated > 0 {
        let are = is_or_are(deprecated);
        summary = format!("{summary}; {deprecated} {are} deprecated");
    }
    if !arguments.json && knows_only_installs {
        eprintln!("hint: {SELF_UPDATING}");
    }
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
    let has_deprecated = apps.iter().any(|app| app.deprecated);
    let mut columns = vec![Column::cut("APP"), Column::whole("SLUG")];
    if all {
        columns.push(Column::whole("VERDICT"));
    }
    columns.extend([Column::whole("INSTALLED"), Column::whole("NEWEST")]);
    if has_hosts {
        columns.insert(0, Column::whole("HOST"));
    }
    if has_deprecated {
        columns.push(Column::whole("DEPRECATION"));
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
        if has_deprecated {
            row.push(deprecation(app.deprecated));
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
        ([], similar) => unsure(&format!("{}?", any_of(similar))),
        (several, _) => unsure(&any_of(several)),
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

/// How many apps are outdated, and how many it is unknown of.
fn summary(totals: &InventoryTotals) -> String {
    let InventoryTotals { outdated, unmatched, ambiguous, store, .. } = *totals;
    let apps = totals.rows - totals.system - totals.ignored;
    let verb = is_or_are(if apps == 1 { 1 } else { outdated });
    let answer = format!("{outdated} of {} {verb} outdated", counted(apps, "app"));
    let uncompared = totals.not_comparable + totals.no_version;
    let unknown = [
        (uncompared, format!("{uncompared} could not be compared")),
        (unmatched, format!("{unmatched} {} not in the catalog", is_or_are(unmatched))),
        (ambiguous, format!("{ambiguous} {} ambiguous", is_or_are(ambiguous))),
        (store, format!("{store} {} from the App Store", is_or_are(store))),
    ];
    let unknown = unknown.into_iter().filter(|(count, _)| *count > 0);
    let unknown: Vec<String> = unknown.map(|(_, text)| text).collect();
    if unknown.is_empty() { answer } else { format!("{answer}; {}", unknown.join(", ")) }
}

/// A list of Homebrew has the versions that it installed. An app that updates itself may be newer.
fn knows_only_installs(apps: &[CheckedApp]) -> bool {
    apps.iter().any(|app| app.rule == CheckRule::SelfUpdating)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_counts_every_app_that_is_not_plainly_current_or_outdated() {
        let totals = |outdated, unmatched| InventoryTotals {
            rows: 9,
            outdated,
            unmatched,
            system: 2,
            ignored: 1,
            ..InventoryTotals::default()
        };
        assert_eq!(summary(&totals(0, 0)), "0 of 6 apps are outdated");
        assert_eq!(summary(&totals(1, 1)), "1 of 6 apps is outdated; 1 is not in the catalog");
        let rest = InventoryTotals {
            not_comparable: 2,
            no_version: 1,
            ambiguous: 1,
            store: 2,
            ..totals(2, 3)
        };
        assert_eq!(
            summary(&rest),
            "2 of 6 apps are outdated; 3 could not be compared, 3 are not in the catalog, \
             1 is ambiguous, 2 are from the App Store"
        );
        let one = InventoryTotals { rows: 1, outdated: 1, ..InventoryTotals::default() };
        assert_eq!(summary(&one), "1 of 1 app is outdated");
        let none = InventoryTotals { outdated: 0, ..one };
        assert_eq!(summary(&none), "0 of 1 app is outdated");
    }
}
