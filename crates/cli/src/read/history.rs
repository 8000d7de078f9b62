//! `appstitch history`: the versions that an app had.

use appstitch_client::AppHistory;

use super::request::{client, failure, get_of_app, print_body};
use crate::{
    arguments::AppArguments,
    exit::Failure,
    table::{Column, Look, cell},
};

pub(crate) async fn run(arguments: AppArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let raw = get_of_app(&client, &arguments.slug, "/history", &[]).await?;
    if arguments.read.json {
        return print_body(&raw.body);
    }
    let history: AppHistory = raw.decode().map_err(failure)?;
    let columns = [Column::whole("VERSION"), Column::whole("FIRST SEEN"), Column::whole("UNTIL")];
    let mut table = Look::of(arguments.read.color).table(columns);
    for version in &history.versions {
        let first_seen = version.first_seen.map(|time| time.to_string());
        let until = version.until.map(|time| time.to_string());
        table.add_row([
            cell(Some(&version.version)),
            cell(first_seen.as_deref()),
            cell(until.as_deref()),
        ]);
    }
    table.print()
}
