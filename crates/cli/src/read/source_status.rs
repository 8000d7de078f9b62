//! `appstitch sources` without an app: what each source contributes, and how recent it is.

use appstitch_client::{Client, SourceStatusResponse};

use super::{
    failure, get, print_body,
    table::{Column, Look, cell},
};
use crate::{arguments::ReadArguments, exit::Failure};

pub(super) async fn show(client: &Client, arguments: &ReadArguments) -> Result<(), Failure> {
    let raw = get(client, "sources", &[]).await?;
    if arguments.json {
        return print_body(&raw.body);
    }
    let status: SourceStatusResponse = raw.decode().map_err(failure)?;
    let mut table = Look::of(arguments.color).table([
        Column::whole("SOURCE"),
        Column::optional("ENTRIES", 2),
        Column::optional("APPS", 3),
        Column::whole("RECEIVED"),
        Column::whole("CHANGED"),
        Column::optional("REJECTED", 1),
    ]);
    for source in &status.sources {
        let received = source.received_at.map(|time| time.to_string());
        let changed = source.changed_at.map(|time| time.to_string());
        let rejected = source.rejected.map(|count| count.to_string());
        table.add_row([
            cell(Some(&source.source)),
            cell(Some(&source.documents.to_string())),
            cell(Some(&source.apps.to_string())),
            cell(received.as_deref()),
            cell(changed.as_deref()),
            cell(rejected.as_deref()),
        ]);
    }
    table.print()
}
