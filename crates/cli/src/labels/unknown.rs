//! The error for an unknown label, with suggestions.

use anyhow::anyhow;
use appstitch_refresh::{KnownLabel, KnownLabels};

use crate::{exit::Failure, similar::Similar};

/// The label with this name. An unknown one is an error with suggestions.
pub(super) fn find<'l>(labels: &'l KnownLabels, name: &str) -> Result<&'l KnownLabel, Failure> {
    labels.find(name).ok_or_else(|| unknown(name, labels.names()))
}

/// The error for an unknown name, with suggestions.
pub(super) fn unknown<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Failure {
    let mut similar = Similar::to(name);
    for known in known {
        similar.offer(known, &[known]);
    }
    let failure = Failure::wrong_use(anyhow!("unknown label '{}'", name.escape_debug()));
    match similar.into_names().as_slice() {
        [] => failure,
        names => failure.hint(format!("did you mean {}?", names.join(" or "))),
    }
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
}
