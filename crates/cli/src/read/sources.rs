//! `appstitch sources`: what each source says about an app, in short.

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
        return print_raw(&client, slug, &app_path(slug, "/sources")).await;
    }
    let Some(sources) = client.get_app_sources(slug).await.map_err(failure)? else {
        return Err(unknown(&client, slug).await);
    };
    let mut table = Look::of(arguments.read.color).table(&["SOURCE", "ENTRY", "SAYS"]);
    let mut row = |source: &str, entry: &str, says: Option<&str>| {
        table.add_row([cell(Some(source)), cell(Some(entry)), cell(says)]);
    };
    if let Some(label) = &sources.label_tool {
        row("label_tool", &label.label_name, Some(label.label_url.as_str()));
    }
    if let Some(cask) = &sources.cask_catalog {
        let entry = cask.entry_json.read();
        let text = |key: &str| entry.get(key).and_then(serde_json::Value::as_str).unwrap_or("-");
        row("cask_catalog", &cask.token, Some(&format!("{} {}", text("version"), text("url"))));
    }
    for recipe in sources.recipe_index.iter().flat_map(|index| &index.recipes) {
        row("recipe_index", &recipe.identifier, Some(&recipe.repo));
    }
    if let Some(listing) = &sources.store_listing {
        let address = listing.store_url.as_ref().map(appstitch_catalog::Uri::as_str);
        row("store_listing", &listing.bundle_id, address);
    }
    if let Some(title) = &sources.mdm_installer {
        let version = title.version.as_deref().unwrap_or("-");
        row("mdm_installer", &title.title, Some(&format!("{version} ({})", title.source)));
    }
    table::print(&table)
}
