//! What the records of one product have in common.

use std::{collections::HashMap, hash::Hash};

use appstitch_text::normal_name::normal;

use super::{Parts, fields, product_scope::ProductScope, vendors::Attributed};

/// The bundle identifier of each app: its own, or that of the variants with the same file. `mains` has
/// the position of the main record of each app's product.
pub(super) fn bundle_ids(apps: &[Parts<'_>], mains: &[Option<usize>]) -> Vec<Attributed<String>> {
    let own: Vec<Attributed<String>> = apps.iter().map(fields::bundle_id).collect();
    let files: Vec<Option<AppFile>> =
        apps.iter().zip(mains).map(|(parts, main)| AppFile::of(parts, (*main)?)).collect();
    let lasting = || own.iter().map(|id| id.clone().filter(|(_, id)| is_lasting(id)));
    let of_files = Agreed::of(files.iter().cloned().zip(lasting()));
    let of_any_major = files.iter().map(|file| file.as_ref().map(AppFile::of_any_major));
    let of_any_major = Agreed::of(of_any_major.zip(lasting()));
    let of_variants = |parts: &Parts<'_>, file: AppFile| {
        let same = || of_files.of_key(&file).filter(|_| file.major.is_some());
        let of_any = || of_any_major.of_key(&file.of_any_major());
        let is_unbound = file.major.is_none() || is_channel(parts);
        same().or_else(|| of_any().filter(|_| is_unbound))
    };
    let all = apps.iter().zip(&own).zip(files);
    all.map(|((parts, id), file)| id.clone().or_else(|| of_variants(parts, file?))).collect()
}

/// Whether a record is for a channel. One such as `esr` is versions behind, but the same app.
fn is_channel(parts: &Parts<'_>) -> bool {
    let edition = ProductScope::of(parts).edition;
    edition.is_some_and(|edition| edition.parse::<u16>().is_err())
}

/// Whether the next major version will have this identifier, too: its last part has no number.
fn is_lasting(id: &str) -> bool {
    let last = id.rsplit('.').next().unwrap_or_default();
    !last.contains(|character: char| character.is_ascii_digit())
}

/// The app's file of a product, in one major version.
#[derive(Clone, PartialEq, Eq, Hash)]
struct AppFile {
    main: usize,
    name: String,
    major: Option<u16>,
}

impl AppFile {
    fn of(parts: &Parts<'_>, main: usize) -> Option<Self> {
        let facts = parts.cask.map(|(_, facts)| facts);
        let of_cask =
            facts.and_then(|facts| facts.app_name.as_ref().or(facts.removed_app.as_ref()));
        let of_label = || parts.label.as_ref()?.1.name();
        let name = normal(of_cask.map(String::as_str).or_else(of_label)?);
        Some(Self { main, name, major: ProductScope::of(parts).major })
    }

    fn of_any_major(&self) -> Self {
        Self { major: None, ..self.clone() }
    }
}

/// The values on which all that have the same key agree.
pub(super) struct Agreed<K, T>(HashMap<K, Attributed<T>>);

impl<K: Eq + Hash, T: Clone + PartialEq> Agreed<K, T> {
    pub(super) fn of(keyed: impl Iterator<Item = (Option<K>, Attributed<T>)>) -> Self {
        let mut agreed: HashMap<K, Attributed<T>> = HashMap::new();
        for (key, value) in keyed {
            let (Some(key), Some(value)) = (key, value) else { continue };
            let known = agreed.entry(key).or_insert_with(|| Some(value.clone()));
            if known.as_ref().is_some_and(|known| known.1 != value.1) {
                *known = None;
            }
        }
        Self(agreed)
    }

    pub(super) fn of_key(&self, key: &K) -> Attributed<T> {
        self.0.get(key)?.clone()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{all, cask, label};
    use crate::Documents;

    fn app_cask(token: &str, name: &str, id: &str) -> appstitch_types::CaskCatalogSource {
        let mut artifacts = vec![json!({"app": [format!("{name}.app")]})];
        if !id.is_empty() {
            artifacts.push(json!({"uninstall": [{"quit": id}]}));
        }
        cask(
            token,
            json!({"token": token, "name": [name], "version": "3.1", "artifacts": artifacts,
                "url": format!("https://{}.example.com/a.dmg", token.replace('@', "-"))}),
        )
    }

    /// The bundle identifier of the app with this slug.
    fn id_of(casks: Vec<appstitch_types::CaskCatalogSource>, slug: &str) -> Option<String> {
        let documents = Documents { casks, ..Documents::default() };
        let found = all(&documents).into_iter().find(|app| app.record.app.slug.as_str() == slug);
        found.unwrap().record.app.bundle_id
    }

    #[test]
    fn variants_with_the_same_file_share_the_bundle_id() {
        let beta = |name: &str, id: &str| app_cask("samplesuite@beta", name, id);
        let plain = || app_cask("samplesuite", "Sample Suite", "");
        let id = "com.example.suite";
        let found = |beta| id_of(vec![plain(), beta], "samplesuite");
        assert_eq!(found(beta("Sample Suite", id)).as_deref(), Some(id));
        assert_eq!(found(beta("Sample Suite Beta", id)), None, "another file");
        assert_eq!(found(beta("Sample Suite", "com.example.suite4")), None, "of a major version");
        let behind = |token: &str| {
            let mut cask = app_cask(token, "Sample Suite", "");
            let entry = cask.entry_json.as_json().replace("3.1", "1.9");
            cask.entry_json = serde_json::from_str(&entry).unwrap();
            id_of(vec![app_cask("samplesuite", "Sample Suite", id), cask], token)
        };
        assert_eq!(behind("samplesuite@slow").as_deref(), Some(id), "a channel");
        assert_eq!(behind("samplesuite@1"), None, "a major version");
    }

    #[test]
    fn records_of_one_name_and_maker_are_of_one_product() {
        let raw = json!({"name": "Sample Suite", "type": "pkg", "appNewVersion": "2026.1",
            "downloadURL": "https://example.com/2026.1/a.pkg", "expectedTeamID": "43AQ936H96"});
        let mut cask = app_cask("makersuite", "Sample Suite", "");
        cask.entry_json = serde_json::from_value(json!({"token": "makersuite", "version": "14.0",
            "name": ["Sample Suite"], "url": "https://www.mozilla.org/14.0/a.pkg",
            "homepage": "https://www.mozilla.org/", "artifacts": [{"pkg": ["a.pkg"]}]}))
        .unwrap();
        let documents = Documents {
            labels: vec![label("samplesuitepro", raw)],
            casks: vec![cask],
            ..Documents::default()
        };
        let mains = all(&documents).into_iter().map(|app| app.variant_of.map(|m| m.to_string()));
        assert_eq!(mains.collect::<Vec<_>>(), vec![Some("samplesuitepro".to_owned()); 2]);
    }
}
