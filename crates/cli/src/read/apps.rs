//! `appstitch apps`: lists of apps.

use appstitch_client::{App, AppsQuery, Client, Source};
use appstitch_types::InstallMethod;
use futures_util::TryStreamExt;
use serde::de::IgnoredAny;

use super::{
    deprecated::deprecated_among,
    listing::{Filters, PAGE_FLAGS, note_more},
    request::{client, failure, get, print_body, print_json},
    vendor::unknown_vendor,
};
use crate::{
    arguments::AppsArguments,
    exit::Failure,
    table::{Column, Look, cell, deprecation},
};

pub(crate) async fn list(arguments: AppsArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let slugs = arguments.slugs.as_ref().map(|slugs| slugs.join(","));
    let filters = Filters::of([
        ("--vendor", arguments.vendor.as_ref()),
        ("--source", arguments.source.as_ref()),
        ("--exclude-source", arguments.exclude_source.as_ref()),
        ("--bundle-id", arguments.bundle_id.as_ref()),
        ("--team-id", arguments.team_id.as_ref()),
        ("--install-method", arguments.install_method.as_ref()),
        ("--slugs", slugs.as_ref()),
    ])
    .with_flag("--deprecated", arguments.deprecated)
    .with_flag("--not-deprecated", arguments.not_deprecated);
    // The flags exclude each other.
    let deprecated =
        (arguments.deprecated || arguments.not_deprecated).then_some(arguments.deprecated);
    let query = AppsQuery {
        vendor: arguments.vendor,
        source: arguments.source,
        exclude_source: arguments.exclude_source,
        deprecated,
        bundle_id: arguments.bundle_id,
        team_id: arguments.team_id,
        install_method: arguments.install_method.as_deref().and_then(InstallMethod::from_word),
        slugs: arguments.slugs,
        limit: arguments.page.limit,
        offset: arguments.page.offset,
    };
    let offset = query.offset;
    let look = Look::of(arguments.read.color);
    let (shown, total) = if arguments.page.all {
        let all = client.all_apps(query.clone());
        let apps: Vec<App> = all.try_collect().await.map_err(failure)?;
        show(&client, &apps, arguments.read.json, look).await?;
        // The pages do not show whether the filters or the offset left no rows.
        let total = match apps.as_slice() {
            [] if offset > 0 => get(&client, "apps", &query.pairs()).await?.total_count,
            _ => None,
        };
        (apps.len(), total)
    } else {
        let (json, raw) = (arguments.read.json, get(&client, "apps", &query.pairs()).await?);
        let shown = if json {
            print_body(&raw.body)?;
            raw.decode::<Vec<IgnoredAny>>().map_err(failure)?.len()
        } else {
            let apps: Vec<App> = raw.decode().map_err(failure)?;
            show(&client, &apps, false, look).await?;
            apps.len()
        };
        (shown, raw.total_count)
    };
    if shown == 0 {
        let Err(failure) = filters.nothing(offset, total) else { return Ok(()) };
        return Err(match unknown_vendor(&client, query.vendor.as_deref()).await {
            Some(hint) => failure.hint(hint),
            None => failure,
        });
    }
    note_more(offset, shown, total, PAGE_FLAGS);
    Ok(())
}

async fn show(client: &Client, apps: &[App], json: bool, look: Look) -> Result<(), Failure> {
    if json {
        return print_json(&apps);
    }
    let slugs: Vec<&str> = apps.iter().map(|app| app.slug.as_str()).collect();
    let deprecated = deprecated_among(client, &slugs).await;
    let mut columns = vec![
        Column::whole("SLUG"),
        Column::cut("NAME"),
        Column::optional("VENDOR", 2),
        Column::whole("VERSION"),
        Column::optional("SOURCES", 1),
    ];
    if !deprecated.is_empty() {
        columns.push(Column::whole("DEPRECATION"));
    }
    let mut table = look.table(columns);
    for app in apps {
        let sources: Vec<&str> = app.sources.iter().map(Source::token).collect();
        let mut row = vec![
            cell(Some(app.slug.as_str())),
            cell(Some(&app.name)),
            cell(app.vendor.as_deref()),
            cell(app.current_version.as_deref()),
            cell(Some(&sources.join(" "))),
        ];
        if !deprecated.is_empty() {
            row.push(deprecation(deprecated.contains(app.slug.as_str())));
        }
        table.add_row(row);
    }
    table.print()
}
