//! `appstitch apps` and `appstitch search`: lists of apps.

use appstitch_catalog::fold_case;
use appstitch_client::{App, AppsQuery, Client};
use futures_util::TryStreamExt;

use super::{
    client, failure, print_body, print_json,
    table::{self, Look, cell},
};
use crate::{
    arguments::{AppsArguments, SearchArguments},
    exit::Failure,
};

pub(crate) async fn list(arguments: AppsArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let query = AppsQuery {
        vendor: arguments.vendor,
        source: arguments.source,
        exclude_source: arguments.exclude_source,
        limit: arguments.page.limit,
        offset: arguments.page.offset,
    };
    if arguments.page.all {
        let apps = walk(&client, query).await?;
        return show(&apps, arguments.read.json, Look::of(arguments.read.color));
    }
    if arguments.read.json {
        let body = client.get_raw("apps", &query.pairs()).await.map_err(failure)?;
        return print_body(&body.unwrap_or_default());
    }
    let apps = client.list_apps(&query).await.map_err(failure)?;
    show(&apps, false, Look::of(arguments.read.color))
}

/// Every app with a text in its slug, name, vendor or bundle identifier, whatever the case.
pub(crate) async fn search(arguments: SearchArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let wanted = fold_case(&arguments.query);
    let has = |text: Option<&str>| text.is_some_and(|text| fold_case(text).contains(&*wanted));
    let mut found = Vec::new();
    let mut apps = std::pin::pin!(client.all_apps(AppsQuery::default()));
    while found.len() < arguments.limit
        && let Some(app) = apps.try_next().await.map_err(failure)?
    {
        let fields = [
            Some(app.slug.as_str()),
            Some(app.name.as_str()),
            app.vendor.as_deref(),
            app.bundle_id.as_deref(),
        ];
        if fields.into_iter().any(has) {
            found.push(app);
        }
    }
    show(&found, arguments.read.json, Look::of(arguments.read.color))?;
    if found.is_empty() {
        return Err(Failure::no(anyhow::anyhow!("no app has '{}' in it", arguments.query)));
    }
    Ok(())
}

async fn walk(client: &Client, query: AppsQuery) -> Result<Vec<App>, Failure> {
    client.all_apps(query).try_collect().await.map_err(failure)
}

fn show(apps: &[App], json: bool, look: Look) -> Result<(), Failure> {
    if json {
        return print_json(&apps);
    }
    let mut table = look.table(&["SLUG", "NAME", "VENDOR", "VERSION", "SOURCES"]);
    for app in apps {
        let sources: Vec<&str> = app.sources.iter().map(appstitch_client::Source::token).collect();
        table.add_row([
            cell(Some(app.slug.as_str())),
            cell(Some(&app.name)),
            cell(app.vendor.as_deref()),
            cell(app.current_version.as_deref()),
            cell(Some(&sources.join(" "))),
        ]);
    }
    table::print(&table)
}
