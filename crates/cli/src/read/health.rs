//! `appstitch health`: whether a server is up, and what it does.

use serde_json::{Map, Value};

use super::{
    client, failure, get, print_body,
    table::{Column, Look, cell},
};
use crate::{arguments::StatsArguments, exit::Failure};

pub(crate) async fn run(arguments: StatsArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let raw = get(&client, "health", &[]).await?;
    if arguments.read.json {
        return print_body(&raw.body);
    }
    let health: Map<String, Value> = raw.decode().map_err(failure)?;
    let columns = [Column::whole("WHAT"), Column::whole("VALUE")];
    let mut table = Look::of(arguments.read.color).table(columns);
    for (what, value) in &health {
        table.add_row([cell(Some(&what.replace('_', " "))), cell(value.as_str())]);
    }
    table.print()
}
