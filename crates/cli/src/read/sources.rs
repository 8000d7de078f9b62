//! `appstitch sources`: the state of the sources, or a summary of the sources of an app.

use appstitch_catalog::{Uri, source_versions};
use appstitch_client::AppSources;
use serde_json::Value;

use super::{
    client, failure, get_of_app, print_body, source_status,
    table::{Column, Look, Table, cell},
};
use crate::{arguments::SourcesArguments, exit::Failure};

pub(crate) async fn run(arguments: SourcesArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let Some(slug) = &arguments.slug else {
        return source_status::show(&client, &arguments.read).await;
    };
    let raw = get_of_app(&client, slug, "/sources", &[]).await?;
    if arguments.read.json {
        return print_body(&raw.body);
    }
    let sources: AppSources = raw.decode().map_err(failure)?;
    table(&sources, Look::of(arguments.read.color)).print()
}

fn table(sources: &AppSources, look: Look) -> Table {
    let mut table = look.table([
        Column::whole("SOURCE"),
        Column::whole("ENTRY"),
        Column::whole("VERSION"),
        Column::optional("FROM", 1),
    ]);
    let mut row = |source: &str, entry: &str, version: Option<&str>, from: Option<&str>| {
        table.add_row([cell(Some(source)), cell(Some(entry)), cell(version), cell(from)]);
    };
    // The version of a label may be a shell expression.
    let stated = source_versions(sources);
    let version = |source: &str| {
        let stated = stated.iter().find(|stated| stated.source == source);
        stated.map(|stated| stated.version.as_str())
    };
    if let Some(label) = &sources.label_tool {
        let url = label.label_url.as_str();
        row("label_tool", &label.label_name, version("label_tool"), Some(url));
    }
    if let Some(cask) = &sources.cask_catalog {
        let entry = cask.entry_json.read();
        let url = entry.get("url").and_then(Value::as_str);
        row("cask_catalog", &cask.token, version("cask_catalog"), url);
    }
    for recipe in sources.recipe_index.iter().flat_map(|index| &index.recipes) {
        row("recipe_index", &recipe.identifier, None, Some(&recipe.repo));
    }
    if let Some(listing) = &sources.store_listing {
        let address = listing.store_url.as_ref().map(Uri::as_str);
        row("store_listing", &listing.bundle_id, version("store_listing"), address);
    }
    if let Some(title) = &sources.mdm_installer {
        row("mdm_installer", &title.title, title.version.as_deref(), Some(&title.source));
    }
    table
}
