//! `appstitch app`: one app.

use super::{
    app_path, client, failure, print_raw,
    table::{self, Look, cell},
    unknown,
};
use crate::{arguments::AppArguments, exit::Failure};

pub(crate) async fn run(arguments: AppArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let slug = &arguments.slug;
    if arguments.read.json {
        return print_raw(&client, slug, &app_path(slug, "")).await;
    }
    let Some(app) = client.get_app(slug).await.map_err(failure)? else {
        return Err(unknown(&client, slug).await);
    };
    let date = app.latest_release_date.map(|date| date.to_string());
    let sources: Vec<&str> = app.sources.iter().map(appstitch_client::Source::token).collect();
    let mut table = Look::of(arguments.read.color).table(&["FIELD", "VALUE"]);
    for (field, value) in [
        ("slug", Some(app.slug.as_str())),
        ("name", Some(app.name.as_str())),
        ("vendor", app.vendor.as_deref()),
        ("bundle_id", app.bundle_id.as_deref()),
        ("current_version", app.current_version.as_deref()),
        ("latest_release_date", date.as_deref()),
        ("download_url", app.download_url.as_ref().map(appstitch_catalog::Uri::as_str)),
        ("install_method", app.install_method.map(appstitch_client::InstallMethod::word)),
        ("expected_team_id", app.expected_team_id.as_ref().map(appstitch_catalog::TeamId::as_str)),
        ("sha256", app.sha256.as_ref().map(appstitch_catalog::Sha256::as_str)),
        ("sources", Some(&sources.join(" "))),
    ] {
        table.add_row([cell(Some(field)), cell(value)]);
    }
    table::print(&table)
}
