//! `recipe_index`: joins identifiers and short names into one entry per recipe.

use std::collections::HashMap;

use appstitch_catalog::{RecipeDocument, RecipeEntry, Uri};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{ParsedFile, Unreadable, UpstreamEntry};

/// The upstream file.
#[derive(Deserialize)]
struct Index {
    identifiers: Map<String, Value>,
    #[serde(default)]
    shortnames: Map<String, Value>,
}

/// One recipe of the index, with the short name it is listed under.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Recipe {
    name: Option<String>,
    path: String,
    repo: String,
    parent: Option<String>,
    app_display_name: Option<String>,
    #[serde(default)]
    shortname: Option<String>,
}

/// Splits the index into one document per recipe; the key is its identifier.
pub fn read(json: &[u8]) -> Result<ParsedFile, Unreadable> {
    let index: Index = serde_json::from_slice(json)
        .map_err(|error| Unreadable(format!("not a recipe index: {error}")))?;
    // If a recipe is listed under two short names, the first is used.
    let mut shortnames: HashMap<&str, &str> = HashMap::new();
    for (shortname, identifiers) in &index.shortnames {
        for identifier in identifiers.as_array().into_iter().flatten().filter_map(Value::as_str) {
            shortnames.entry(identifier).or_insert(shortname);
        }
    }
    let mut parsed = ParsedFile::default();
    for (identifier, value) in &index.identifiers {
        if identifier.is_empty() {
            parsed.refuse(identifier, "the identifier is empty");
            continue;
        }
        let recipe = Recipe::deserialize(value).map(|recipe| Recipe {
            shortname: shortnames.get(identifier.as_str()).map(|&shortname| shortname.to_owned()),
            ..recipe
        });
        match recipe.and_then(|recipe| serde_json::to_vec(&recipe)) {
            Ok(body) => parsed.take(UpstreamEntry { key: identifier.clone(), body: body.into() }),
            Err(error) => parsed.refuse(identifier, &error.to_string()),
        }
    }
    Ok(parsed)
}

/// Reads one recipe.
pub fn parse(document: &UpstreamEntry) -> Result<RecipeDocument, String> {
    let recipe: Recipe =
        serde_json::from_slice(&document.body).map_err(|error| error.to_string())?;
    let entry = RecipeEntry {
        inferred_type: inferred_type(&recipe.path, &document.key),
        recipe_url: recipe_url(&recipe.repo, &recipe.path),
        identifier: document.key.clone(),
        name: recipe.name,
        shortname: recipe.shortname,
        repo: recipe.repo,
        path: recipe.path,
        parent_identifier: recipe.parent,
    };
    Ok(RecipeDocument { entry, app_display_name: recipe.app_display_name })
}

/// The type of a recipe: the word before `.recipe` in its file name, else a known word in its
/// identifier.
fn inferred_type(path: &str, identifier: &str) -> Option<String> {
    const KINDS: [&str; 8] =
        ["download", "munki", "pkg", "install", "jamf", "jss", "intune", "filewave"];
    let file = path.rsplit('/').next()?;
    let stem = ["", ".yaml", ".plist", ".json"]
        .iter()
        .find_map(|ending| file.strip_suffix(&format!(".recipe{ending}")));
    let from_file = stem.and_then(|stem| stem.rsplit_once('.')).map(|(_, kind)| kind.to_owned());
    let from_identifier = || {
        let mut words = identifier.split('.');
        words.find(|word| KINDS.contains(word)).map(str::to_owned)
    };
    from_file.filter(|kind| !kind.is_empty()).or_else(from_identifier)
}

/// The web page of a recipe.
fn recipe_url(repo: &str, path: &str) -> Option<Uri> {
    let mut url = format!("https://github.com/{repo}/blob/HEAD");
    for segment in path.split('/') {
        url.push('/');
        // The URL library escapes spaces and similar characters, but treats these as syntax.
        url.push_str(&segment.replace('%', "%25").replace('?', "%3F").replace('#', "%23"));
    }
    Uri::parse(&url).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &[u8] = br#"{
        "identifiers": {
            "com.example.munki.Sample": {"name": "Sample", "path": "Sample App/Sample.munki.recipe", "repo": "example/recipes", "parent": "com.example.download.Sample", "app_display_name": "Sample App"},
            "com.example.shared": {"name": null, "path": "Shared/Processor.recipe.yaml", "repo": "example/recipes"},
            "com.example.download.Odd": {"name": "", "path": "Odd#1.recipe", "repo": "example/recipes"},
            "com.example.broken": {"name": "Broken"}
        },
        "shortnames": {"Sample.munki": ["com.example.munki.Sample"], "Other.munki": ["com.example.munki.Sample"]}
    }"#;

    #[test]
    fn identifiers_and_short_names_are_joined() {
        let parsed = read(INDEX).unwrap();
        assert_eq!((parsed.entries.len(), parsed.refused.len()), (3, 1));
        let recipe = parse(&parsed.entries[0]).unwrap();
        assert_eq!(recipe.entry.shortname.as_deref(), Some("Sample.munki"));
        assert_eq!(recipe.entry.parent_identifier.as_deref(), Some("com.example.download.Sample"));
        assert_eq!(recipe.entry.inferred_type.as_deref(), Some("munki"));
        assert_eq!(recipe.app_display_name.as_deref(), Some("Sample App"));
        assert_eq!(
            recipe.entry.recipe_url.unwrap().as_str(),
            "https://github.com/example/recipes/blob/HEAD/Sample%20App/Sample.munki.recipe"
        );
    }

    #[test]
    fn a_recipe_without_an_identifier_is_rejected() {
        let index = br#"{"identifiers": {"": {"path": "A.recipe", "repo": "example/recipes"}}}"#;
        let parsed = read(index).unwrap();
        assert_eq!((parsed.entries.len(), parsed.refused.len()), (0, 1));
        assert_eq!(parsed.refused[0].why, "the identifier is empty");
    }

    #[test]
    fn null_names_are_kept_and_types_read_from_the_identifier() {
        let parsed = read(INDEX).unwrap();
        let shared = parse(&parsed.entries[1]).unwrap().entry;
        assert_eq!((shared.name, shared.shortname, shared.inferred_type), (None, None, None));
        let odd = parse(&parsed.entries[2]).unwrap().entry;
        assert_eq!(odd.inferred_type.as_deref(), Some("download"));
        assert!(odd.recipe_url.unwrap().as_str().ends_with("/Odd%231.recipe"));
    }
}
