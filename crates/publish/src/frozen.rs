//! Which apps manual records would take away from the sources.

use std::collections::HashSet;

use appstitch_stitching::Record;
use appstitch_store::Contents;

use crate::{origin::SAMPLE, publish_error::SHRINK_PARTS};

/// The apps that would become manual records, so that new data of the sources cannot update them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrozenApps {
    /// Apps that the sources keep up to date, and that would become manual records.
    pub frozen: usize,
    /// All apps that the sources keep up to date.
    pub sourced: usize,
}

impl FrozenApps {
    /// What these records would do to a store. The sample does not count: manual records remove it.
    #[must_use]
    pub fn of(contents: &Contents, records: &[Record]) -> Self {
        if contents.documents.iter().all(|document| document.origin == SAMPLE) {
            return Self { frozen: 0, sourced: 0 };
        }
        let fold = |slug: &String| slug.to_ascii_lowercase();
        let manual: HashSet<String> =
            contents.records.iter().map(|record| fold(&record.slug)).collect();
        let apps = contents.insertions.keys().map(fold);
        let sourced: HashSet<String> = apps.filter(|slug| !manual.contains(slug)).collect();
        let is_sourced = |record: &&Record| sourced.contains(&record.app.slug.folded());
        Self { frozen: records.iter().filter(is_sourced).count(), sourced: sourced.len() }
    }

    /// Whether these are so many that it is probably a mistake.
    #[must_use]
    pub const fn are_too_many(self) -> bool {
        self.frozen * SHRINK_PARTS > self.sourced
    }
}

#[cfg(test)]
mod tests {
    use appstitch_store::{Document, StoredRecord};

    use super::*;

    fn contents(origin: &str) -> Contents {
        let document = Document {
            source: "cask_catalog".to_owned(),
            origin: origin.to_owned(),
            key: "a".to_owned(),
            body: "{}".into(),
        };
        let record =
            StoredRecord { slug: "Mine".to_owned(), body: String::new(), is_sample: false };
        let slugs = ["a", "B", "c", "d", "e", "Mine"];
        Contents {
            documents: vec![document],
            records: vec![record],
            insertions: slugs.into_iter().map(str::to_owned).zip(1..).collect(),
            ..Contents::default()
        }
    }

    fn records(slugs: &[&str]) -> Vec<Record> {
        let record = |slug: &&str| {
            let json =
                format!(r#"{{"app":{{"slug":"{slug}","name":"A","sources":[]}},"sources":null}}"#);
            Record::admit(json.as_bytes()).unwrap().record
        };
        slugs.iter().map(record).collect()
    }

    #[test]
    fn only_apps_of_the_sources_can_freeze() {
        let frozen = |slugs: &[&str]| FrozenApps::of(&contents("upload"), &records(slugs));
        assert_eq!(frozen(&["mine", "new"]), FrozenApps { frozen: 0, sourced: 5 });
        assert_eq!(frozen(&["b", "new"]), FrozenApps { frozen: 1, sourced: 5 });
        assert!(!frozen(&["b", "new"]).are_too_many());
        assert!(frozen(&["a", "b", "mine"]).are_too_many());
        assert_eq!(FrozenApps::of(&contents(SAMPLE), &records(&["a", "b"])).frozen, 0);
        assert!(!FrozenApps::of(&Contents::default(), &records(&["a"])).are_too_many());
    }
}
