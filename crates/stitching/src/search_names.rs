//! The names that people call an app by, beyond its record and its aliases.

use appstitch_text::{fold_case, served};
use appstitch_types::{App, AppSources};
use serde_json::{Map, Value};

use crate::{
    bounds::{CASK_NAMES, SEARCH_NAMES},
    cask::{installed_app, used_names},
    label::literal::Literals,
};

/// The names that the sources have for an app, each once: the names and app files of the cask, the
/// app that the label looks for, the installer title and the store listing. The record's name,
/// ignoring case, is omitted.
pub(crate) fn search_names(
    app: &App,
    sources: &AppSources,
    entry: &Map<String, Value>,
) -> Vec<String> {
    let artifacts = entry.get("artifacts").and_then(Value::as_array);
    let files = artifacts.into_iter().flatten().filter_map(Value::as_object);
    let files = files.filter_map(installed_app).take(CASK_NAMES);
    let label = sources.label_tool.as_ref().map(|label| Literals::read(&label.raw));
    let of_label = label.iter().flat_map(|label| [label.name(), label.text("appName")]).flatten();
    let title = sources.mdm_installer.as_ref().map(|title| title.title.clone());
    let listing = sources.store_listing.as_ref().map(|listing| listing.raw.read());
    let listed = listing.as_ref().and_then(|raw| raw.get("trackName")?.as_str());
    let names = used_names(entry.get("name"))
        .into_iter()
        .chain(files)
        .chain(of_label.map(file_name))
        .chain(title)
        .chain(listed.map(str::to_owned));
    let mut folded = vec![fold_case(&app.name)];
    let mut kept = Vec::new();
    for name in names {
        let Ok(name) = served::text("name", &name) else { continue };
        let form = fold_case(&name);
        if kept.len() < SEARCH_NAMES && !folded.contains(&form) {
            folded.push(form);
            kept.push(name);
        }
    }
    kept
}

fn file_name(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.strip_suffix(".app").unwrap_or(file).to_owned()
}
