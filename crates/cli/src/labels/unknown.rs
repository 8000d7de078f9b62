//! The error for an unknown label, with suggestions.

use anyhow::anyhow;
use appstitch_refresh::{KnownLabel, KnownLabels};

use crate::{exit::Failure, words::any_of};

/// The lowest similarity of a suggestion, between 0 and 1.
const ALIKE: f64 = 0.85;

const SUGGESTIONS: usize = 3;

/// The label with this name. An unknown one is an error with suggestions.
pub(super) fn find<'l>(labels: &'l KnownLabels, name: &str) -> Result<&'l KnownLabel, Failure> {
    labels.find(name).ok_or_else(|| unknown(name, labels.names()))
}

pub(super) fn unknown<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Failure {
    let failure = Failure::wrong_use(anyhow!("unknown label '{}'", name.escape_debug()));
    match similar(name, known).as_slice() {
        [] => failure,
        names => failure.hint(format!("did you mean {}?", any_of(names))),
    }
}

/// The most similar names, best first.
fn similar<'n>(wanted: &str, known: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let wanted = plain(wanted);
    let likeness = |name: &'n str| (likeness(&wanted, &plain(name)), name);
    let mut found: Vec<_> =
        known.map(likeness).filter(|(likeness, _)| *likeness >= ALIKE).collect();
    found.sort_by(|left, right| right.0.total_cmp(&left.0).then_with(|| left.1.cmp(right.1)));
    found.into_iter().take(SUGGESTIONS).map(|(_, name)| name).collect()
}

/// Letters and digits in lower case.
fn plain(text: &str) -> String {
    text.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// The similarity of two texts. If one starts with the other, they count as similar.
fn likeness(left: &str, right: &str) -> f64 {
    let shorter = left.len().min(right.len());
    if shorter >= 4 && (left.starts_with(right) || right.starts_with(left)) {
        return 0.95;
    }
    strsim::jaro_winkler(left, right)
}

#[cfg(test)]
mod tests {
    use appstitch_sources::UpstreamEntry;

    use super::*;
    use crate::exit::WRONG_USE;

    #[test]
    fn an_unknown_label_is_wrong_use_with_suggestions() {
        let entry = UpstreamEntry {
            key: "fragment/firefox.sh".to_owned(),
            body: "firefoxpkg)\nname=Firefox\n;;".to_owned().into(),
        };
        let labels = KnownLabels::of_entries(&[entry]);
        let failure = find(&labels, "fierfoxpkg").err().unwrap();
        assert_eq!(failure.code, WRONG_USE);
        let text = failure.to_string();
        assert_eq!(text, "error: unknown label 'fierfoxpkg'\nhint: did you mean firefoxpkg?");
        assert!(!find(&labels, "zzz").err().unwrap().to_string().contains("hint"));
    }

    #[test]
    fn typing_errors_are_similar_and_other_words_are_not() {
        assert!(likeness("fierfox", "firefox") >= ALIKE);
        assert!(likeness("firefox", "firefoxpkg") >= ALIKE);
        assert!(likeness("googelchrome", "googlechrome") >= ALIKE);
        assert!(likeness("firefox", "thunderbird") < ALIKE);
        assert!(likeness("zoom", "vlc") < ALIKE);
    }
}
