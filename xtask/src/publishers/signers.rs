//! Which Team IDs publishers sign their apps with, as the labels in the real files state them.

use std::collections::{BTreeMap, HashMap};

use appstitch_stitching::publishers::{Directory, Evidence, KeyKind, Publisher};

/// How many apps of each publisher are signed with each Team ID.
pub(crate) struct Signers<'a> {
    directory: &'a Directory,
    counts: HashMap<&'a str, BTreeMap<&'a str, usize>>,
}

impl<'a> Signers<'a> {
    pub(crate) fn count(
        directory: &'a Directory,
        apps: impl IntoIterator<Item = &'a Evidence>,
    ) -> Self {
        let mut counts: HashMap<&str, BTreeMap<&str, usize>> = HashMap::new();
        for evidence in apps {
            if let Some((id, publisher)) = team_id(evidence).zip(directory.find(evidence)) {
                *counts.entry(&publisher.name).or_default().entry(id).or_default() += 1;
            }
        }
        Self { directory, counts }
    }

    /// The Team IDs of publishers whose signed apps agree, sorted.
    pub(super) fn agreed(&self) -> Vec<&'a str> {
        let publishers = self.directory.publishers().iter();
        let mut ids: Vec<&str> = publishers
            .filter_map(|publisher| only_signer(publisher, self.counts.get(&*publisher.name)?))
            .collect();
        ids.sort_unstable();
        ids
    }

    /// The Team ID that this signed app would get if its label stated none.
    pub(crate) fn without(&self, app: &Evidence) -> Option<&'a str> {
        let publisher = self.directory.find(&app.unsigned())?;
        let mut counts = self.counts.get(&*publisher.name)?.clone();
        let is_counted = self.directory.find(app).is_some_and(|own| own.name == publisher.name);
        if let Some(count) = team_id(app).filter(|_| is_counted).and_then(|id| counts.get_mut(id)) {
            *count -= 1;
        }
        counts.retain(|_, count| *count > 0);
        only_signer(publisher, &counts)
    }
}

/// The Team ID of all signed apps, if there are two or more and it belongs to the publisher: a person
/// can sign for a project, too.
fn only_signer<'a>(publisher: &Publisher, counts: &BTreeMap<&'a str, usize>) -> Option<&'a str> {
    let mut ids = counts.iter();
    let (id, count) = ids.next()?;
    let is_own = publisher.team_ids.iter().any(|own| own.as_str() == *id);
    (is_own && *count >= 2 && ids.next().is_none()).then_some(id)
}

/// The Team ID that the app's label states.
pub(crate) fn team_id(evidence: &Evidence) -> Option<&str> {
    let mut clues = evidence.clues().iter().flat_map(|clues| &clues.all);
    clues.find(|clue| clue.kind == KeyKind::TeamId).map(|clue| clue.value.as_str())
}

#[cfg(test)]
mod tests {
    use appstitch_types::AppSources;
    use serde_json::json;

    use super::*;

    const DIRECTORY: &str =
        r#"{"name": "Example", "team_ids": ["ABCDE12345"], "domains": ["example.com"]}"#;

    fn app(id: &str) -> Evidence {
        let sources = json!({"label_tool": {"label_name": "sample",
            "label_url": "https://labels.test/sample.sh",
            "raw": {"expectedTeamID": id, "downloadURL": "https://example.com/a.dmg"}}});
        let sources: AppSources = serde_json::from_value(sources).unwrap();
        Evidence::read(&sources)
    }

    #[test]
    fn two_other_signed_apps_must_agree() {
        let directory = Directory::parse(DIRECTORY).unwrap();
        let without = |ids: &[&str]| {
            let apps: Vec<Evidence> = ids.iter().map(|id| app(id)).collect();
            let signers = Signers::count(&directory, &apps);
            signers.without(&apps[0]).map(str::to_owned)
        };
        let (id, other) = ("ABCDE12345", "ZZZZZ12345");
        assert_eq!(without(&[id, id, id]).as_deref(), Some(id));
        assert_eq!(without(&[other, id, id]).as_deref(), Some(id), "wrong, but nothing shows it");
        assert_eq!(without(&[id, id]), None, "one other app only");
        assert_eq!(without(&[id, id, id, other]), None);
    }
}
