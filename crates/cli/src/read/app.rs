//! `appstitch app`: one app.

use appstitch_client::{App, InstallMethod, Source};
use appstitch_types::{Sha256, TeamId, Uri};

use super::request::{client, failure, get_of_app, print_body};
use crate::{
    arguments::AppArguments,
    exit::Failure,
    table::{Column, Look, cell},
};

pub(crate) async fn run(arguments: AppArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let raw = get_of_app(&client, &arguments.slug, "", &[]).await?;
    if arguments.read.json {
        return print_body(&raw.body);
    }
    let app: App = raw.decode().map_err(failure)?;
    let date = app.latest_release_date.map(|date| date.to_string());
    let sources: Vec<&str> = app.sources.iter().map(Source::token).collect();
    let columns = [Column::whole("FIELD"), Column::whole("VALUE")];
    let mut table = Look::of(arguments.read.color).table(columns);
    for (field, value) in [
        ("slug", Some(app.slug.as_str())),
        ("name", Some(app.name.as_str())),
        ("vendor", app.vendor.as_deref()),
        ("bundle_id", app.bundle_id.as_deref()),
        ("current_version", app.current_version.as_deref()),
        ("latest_release_date", date.as_deref()),
        ("download_url", app.download_url.as_ref().map(Uri::as_str)),
        ("install_method", app.install_method.map(InstallMethod::word)),
        ("expected_team_id", app.expected_team_id.as_ref().map(TeamId::as_str)),
        ("sha256", app.sha256.as_ref().map(Sha256::as_str)),
        ("sources", Some(&sources.join(" "))),
    ] {
        table.add_row([cell(Some(field)), cell(value)]);
    }
    table.print()?;
    // The record is complete without it.
    let details = client.get_app_details(app.slug.as_str()).await.ok().flatten();
    if let Some(deprecation) = details.and_then(|details| details.deprecation) {
        eprintln!("{}", deprecation.sentence());
    }
    Ok(())
}
