//! `appstitch details`: what the sources know about an app beyond its record.

mod words;

use appstitch_client::{AppDetails, InstallMethod, Variant};
use appstitch_types::Uri;

use super::request::{client, failure, get_of_app, print_body};
use crate::{
    arguments::AppArguments,
    exit::{self, Failure},
    table::{Cell, Column, Look, Table, bad, cell},
};

pub(crate) async fn run(arguments: AppArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let raw = get_of_app(&client, &arguments.slug, "/details", &[]).await?;
    if arguments.read.json {
        return print_body(&raw.body);
    }
    let details: AppDetails = raw.decode().map_err(failure)?;
    let look = Look::of(arguments.read.color);
    fields(&details, look).print()?;
    match details.variants.as_deref() {
        Some(variants @ [_, ..]) => {
            exit::print("\n")?;
            table_of(variants, look).print()
        }
        _ => Ok(()),
    }
}

/// Fields and values. A deprecation comes first.
fn fields(details: &AppDetails, look: Look) -> Table {
    let mut table = look.table([Column::whole("FIELD"), Column::whole("VALUE")]);
    if let Some(deprecation) = &details.deprecation {
        let status = words::of_status(deprecation.status);
        table.add_row([bad(status), bad(&words::of_deprecation(deprecation))]);
    }
    let single = [
        ("slug", Some(details.slug.clone())),
        ("description", details.description.clone()),
        ("home page", details.homepage.as_ref().map(Uri::to_string)),
        ("needs", words::of_needs(details)),
        ("updates itself", details.updates_itself.map(|yes| if yes { "yes" } else { "no" }.into())),
    ];
    for (field, value) in single {
        table.add_row([cell(Some(field)), cell(value.as_deref())]);
    }
    let aliases = details.aliases.as_ref();
    let names = aliases.map(|aliases| aliases.iter().map(words::of_alias).collect());
    let lists = [
        ("app files", details.app_files.clone()),
        ("receipts", details.package_receipts.clone()),
        ("quit before install", details.blocking_processes.clone()),
        ("other names", names),
    ];
    for (field, values) in lists {
        for row in list(field, values.as_deref()) {
            table.add_row(row);
        }
    }
    table
}

/// A row for each value; only the first one has the name of the field.
fn list(field: &str, values: Option<&[String]>) -> Vec<[Cell; 2]> {
    match values {
        None => vec![[cell(Some(field)), cell(None)]],
        Some([]) => vec![[cell(Some(field)), cell(Some("none"))]],
        Some(values) => {
            let fields = std::iter::once(field).chain(std::iter::repeat(""));
            fields
                .zip(values)
                .map(|(field, value)| [cell(Some(field)), cell(Some(value))])
                .collect()
        }
    }
}

fn table_of(variants: &[Variant], look: Look) -> Table {
    let mut table = look.table([
        Column::whole("VARIANT"),
        Column::cut("NAME"),
        Column::whole("VERSION"),
        Column::optional("INSTALL", 1),
        Column::optional("DIFFERENCE", 2),
    ]);
    for variant in variants {
        table.add_row([
            cell(Some(&variant.slug)),
            cell(Some(&variant.name)),
            cell(variant.current_version.as_deref()),
            cell(variant.install_method.map(InstallMethod::word)),
            cell(words::of_difference(variant).as_deref()),
        ]);
    }
    table
}
