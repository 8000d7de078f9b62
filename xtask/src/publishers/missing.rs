//! Keys of apps whose publisher the directory does not know.

use std::collections::{BTreeMap, BTreeSet};

use appstitch_stitching::publishers::{Clue, Directory, Evidence, KeyKind, Strength, is_shared};

/// A key that could be added to the directory.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MissingKey {
    pub(super) kind: KeyKind,
    pub(super) key: String,
    /// The apps that would have a publisher with it.
    pub(super) apps: Vec<String>,
    /// The known publishers of other apps that have it: a person can sign for a project, too. Such
    /// a key may not belong to one publisher alone.
    pub(super) also_of: Vec<String>,
}

#[derive(Default)]
struct Owners<'a> {
    /// The apps without a known publisher.
    apps: BTreeSet<&'a str>,
    publishers: BTreeSet<&'a str>,
}

/// The keys of all apps without a known publisher, those of most apps first.
pub(super) fn missing_keys(directory: &Directory, apps: &[(String, Evidence)]) -> Vec<MissingKey> {
    let mut found: BTreeMap<(KeyKind, String), Owners<'_>> = BTreeMap::new();
    for (slug, evidence) in apps {
        let publisher = directory.find(evidence);
        // The hosts that a label mentions rarely belong to the publisher.
        let clues = evidence.clues().iter().filter(|clues| clues.strength != Strength::Mention);
        for key in clues.flat_map(|clues| &clues.all).filter_map(key) {
            let owners = found.entry(key).or_default();
            match publisher {
                Some(publisher) => owners.publishers.insert(&publisher.name),
                None => owners.apps.insert(slug),
            };
        }
    }
    let owned = |names: BTreeSet<&str>| names.into_iter().map(str::to_owned).collect();
    let mut keys: Vec<MissingKey> = found
        .into_iter()
        .filter(|(_, owners)| !owners.apps.is_empty())
        .map(|((kind, key), Owners { apps, publishers })| MissingKey {
            kind,
            key,
            apps: owned(apps),
            also_of: owned(publishers),
        })
        .collect();
    keys.sort_by_key(|key| std::cmp::Reverse(key.apps.len()));
    keys
}

/// The shortest key in a clue that is not shared by many publishers.
fn key(clue: &Clue) -> Option<(KeyKind, String)> {
    let value = clue.value.as_str();
    let candidates: Vec<&str> = match clue.kind {
        KeyKind::TeamId | KeyKind::RepositoryOwner => vec![value],
        KeyKind::BundleIdPrefix => {
            let ends = value.match_indices('.').skip(1).map(|(end, _)| end);
            ends.chain([value.len()]).map(|end| &value[..end]).collect()
        }
        KeyKind::Domain => {
            let labels: Vec<&str> = value.rsplitn(3, '.').collect();
            // Endings such as co.uk belong to nobody.
            let is_ending =
                matches!(labels[..], [top, second, _] if top.len() == 2 && second.len() <= 3);
            let starts = value.rmatch_indices('.').skip(1).map(|(dot, _)| dot + 1);
            let starts = starts.chain([0]).skip(usize::from(is_ending));
            starts.map(|start| &value[start..]).collect()
        }
    };
    // A page of a shared host, such as somebody.github.io, is named after the owner.
    let is_page = clue.kind == KeyKind::Domain
        && candidates.iter().any(|candidate| is_shared(clue.kind, candidate));
    let key = candidates.into_iter().find(|candidate| !is_shared(clue.kind, candidate))?;
    (!is_page).then(|| (clue.kind, key.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_of(kind: KeyKind, value: &str) -> Option<String> {
        key(&Clue { kind, value: value.to_owned() }).map(|(_, key)| key)
    }

    #[test]
    fn the_shortest_key_of_a_publisher_is_proposed() {
        let prefix = |id| key_of(KeyKind::BundleIdPrefix, id);
        assert_eq!(prefix("com.acme.app.beta").as_deref(), Some("com.acme"));
        assert_eq!(prefix("com.github.somebody.app").as_deref(), Some("com.github.somebody"));
        let domain = |host| key_of(KeyKind::Domain, host);
        assert_eq!(domain("www.example.com").as_deref(), Some("example.com"));
        assert_eq!(domain("example.com").as_deref(), Some("example.com"));
        assert_eq!(domain("www.example.co.uk").as_deref(), Some("example.co.uk"));
        assert_eq!(domain("somebody.github.io"), None);
        assert_eq!(domain("github.com"), None);
    }

    #[test]
    fn keys_of_most_apps_come_first_and_known_apps_do_not_count() {
        let known = r#"{"name": "A", "bundle_id_prefixes": ["com.a"]}"#;
        let directory = Directory::parse(known).unwrap_or_default();
        let app = |slug: &str, id: &str, homepage: &str| {
            let entry = serde_json::json!({"cask_catalog": {"token": slug, "entry_json": {
                "homepage": homepage, "artifacts": [{"uninstall": [{"quit": id}]}]}}});
            let sources = serde_json::from_str(&entry.to_string());
            (slug.to_owned(), sources.as_ref().map(Evidence::read).unwrap_or_default())
        };
        let apps = [
            app("one", "com.a.one", "https://a.example/"),
            app("two", "com.b.two", "https://a.example/"),
            app("three", "com.b.three", "https://c.example/"),
        ];
        let keys = missing_keys(&directory, &apps);
        let listed: Vec<(&str, usize)> =
            keys.iter().map(|key| (key.key.as_str(), key.apps.len())).collect();
        assert_eq!(listed, [("com.b", 2), ("a.example", 1), ("c.example", 1)]);
        assert_eq!(keys[1].also_of, ["A"], "another app with this key is of a known publisher");
    }
}
