//! `recipe_index`: joins identifiers and short names into one entry per recipe.

use std::{collections::HashMap, io::BufRead};

use appstitch_budget::Budget;
use appstitch_stitching::{CheckedEntry, RecipeDocument};
use appstitch_types::{RecipeEntry, Uri};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    json_stream::JsonStream,
    parsed_file::{FileError, KeyedEntries, ParsedFile, UpstreamEntry},
};

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
pub fn read(json: &mut dyn BufRead, budget: &mut Budget) -> Result<ParsedFile, FileError> {
    let index = Index::read(json, budget).map_err(|error| error.not_a("a recipe index"))?;
    let mut entries = KeyedEntries::default();
    for (identifier, recipe) in index.recipes {
        let recipe = recipe.and_then(|recipe| {
            if identifier.is_empty() {
                return Err("the identifier is empty".to_owned());
            }
            let shortname = index.shortnames.get(&identifier).cloned();
            let body = serde_json::to_vec(&Recipe { shortname, ..recipe });
            let body = body.map_err(|error| error.to_string())?;
            let document = UpstreamEntry { key: identifier.clone(), body: body.into() };
            parse(&document).map(|_| (document.key, document.body))
        });
        entries.take_named(&identifier, recipe, budget)?;
    }
    Ok(entries.parsed)
}

#[derive(Default)]
struct Index {
    /// By identifier, in the order of the file.
    recipes: Vec<(String, Result<Recipe, String>)>,
    /// By identifier. If a recipe is listed under two short names, the first is used.
    shortnames: HashMap<String, String>,
}

const OVERHEAD: usize = 256;

impl Index {
    fn read(json: &mut dyn BufRead, budget: &mut Budget) -> Result<Self, FileError> {
        let mut index = Self::default();
        let (mut has_identifiers, mut has_shortnames) = (false, false);
        let mut stream = JsonStream::new(json);
        stream.members(budget, &mut |stream, key, budget| {
            let is_there = match key {
                "identifiers" => &mut has_identifiers,
                "shortnames" => &mut has_shortnames,
                _ => return stream.skip(budget),
            };
            if std::mem::replace(is_there, true) {
                return Err(FileError::unreadable(format!("duplicate field `{key}`")));
            }
            let is_recipe = key == "identifiers";
            stream.members(budget, &mut |stream, key, budget| {
                let value = stream.value(budget)?;
                if is_recipe {
                    index.take_recipe(key, value, budget)
                } else {
                    index.take_shortname(key, value, budget)
                }
            })
        })?;
        stream.end(budget)?;
        if has_identifiers {
            Ok(index)
        } else {
            Err(FileError::unreadable("missing field `identifiers`"))
        }
    }

    fn take_recipe(
        &mut self,
        identifier: &str,
        value: Result<&str, String>,
        budget: &mut Budget,
    ) -> Result<(), FileError> {
        budget.hold(identifier.len() + value.as_ref().map_or(0, |text| text.len()) + OVERHEAD)?;
        let recipe =
            value.and_then(|text| serde_json::from_str(text).map_err(|error| error.to_string()));
        self.recipes.push((identifier.to_owned(), recipe));
        Ok(())
    }

    fn take_shortname(
        &mut self,
        shortname: &str,
        value: Result<&str, String>,
        budget: &mut Budget,
    ) -> Result<(), FileError> {
        let identifiers: Vec<Value> = value
            .and_then(|text| serde_json::from_str(text).map_err(|error| error.to_string()))
            .unwrap_or_default();
        for identifier in identifiers.iter().filter_map(Value::as_str) {
            if !self.shortnames.contains_key(identifier) {
                budget.hold(identifier.len() + shortname.len() + OVERHEAD)?;
                self.shortnames.insert(identifier.to_owned(), shortname.to_owned());
            }
        }
        Ok(())
    }
}

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
    let entry = entry.admit().map_err(|broken| broken.to_string())?;
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
        let parsed = read(&mut &INDEX[..], &mut Budget::default()).unwrap();
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
        let parsed = read(&mut &index[..], &mut Budget::default()).unwrap();
        assert_eq!((parsed.entries.len(), parsed.refused.len()), (0, 1));
        assert_eq!(parsed.refused[0].why, "the identifier is empty");
    }

    #[test]
    fn null_names_are_kept_and_types_read_from_the_identifier() {
        let parsed = read(&mut &INDEX[..], &mut Budget::default()).unwrap();
        let shared = parse(&parsed.entries[1]).unwrap().entry;
        assert_eq!((shared.name, shared.shortname, shared.inferred_type), (None, None, None));
        let odd = parse(&parsed.entries[2]).unwrap().entry;
        assert_eq!(odd.inferred_type.as_deref(), Some("download"));
        assert!(odd.recipe_url.unwrap().as_str().ends_with("/Odd%231.recipe"));
    }

    #[test]
    fn short_names_may_come_first_and_identifiers_count_once() {
        let json = br#"{"shortnames":{"A":["a"],"B":["a",1],"C":"no list"},"other":[1],
            "identifiers":{"a":{"path":"1","repo":"r"},"a":{"path":"2","repo":"r"},"b":7}}"#;
        let parsed = read(&mut &json[..], &mut Budget::default()).unwrap();
        assert_eq!((parsed.entries.len(), parsed.rejected), (1, 2));
        let recipe = parse(&parsed.entries[0]).unwrap().entry;
        assert_eq!((recipe.shortname.as_deref(), recipe.path.as_str()), (Some("A"), "1"));
        for broken in ["{}", "[]", r#"{"identifiers":[]}"#, r#"{"identifiers":{}"#] {
            assert!(read(&mut broken.as_bytes(), &mut Budget::default()).is_err(), "{broken}");
        }
    }
}
