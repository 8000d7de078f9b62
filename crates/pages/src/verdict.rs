//! What the sources of an app say about each other, in the same words on every page.

use appstitch_snapshot::DriftLine;
use appstitch_stitching::Standing;
use appstitch_types::SourceVersion;

use crate::source_names::source_title;

/// Whether sources agree: the class and the text of a chip.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) class: &'static str,
    pub(crate) text: String,
}

impl Verdict {
    /// The verdict on versions and how each of them stands to the others.
    pub(crate) fn of(versions: &[SourceVersion], standings: &[Standing]) -> Self {
        let has = |standing| standings.contains(&standing);
        let behind = versions.iter().zip(standings).filter(|(_, is)| **is == Standing::Behind);
        let behind: Vec<&str> = behind.map(|(stated, _)| source_title(&stated.source)).collect();
        let (class, text) = if let [first @ .., last] = &behind[..] {
            let others = first.join(", ");
            let and = if first.is_empty() { "" } else { " and " };
            ("badge-behind", format!("{others}{and}{last} behind"))
        } else {
            let (class, text) = if standings.is_empty() {
                ("badge-neutral", "no source states a version")
            } else if has(Standing::Unordered) {
                ("badge-neutral", "cannot compare")
            } else if has(Standing::Newest) {
                ("badge-ok", "sources in step")
            } else if has(Standing::LeftOut) {
                ("badge-neutral", "cannot compare")
            } else {
                ("badge-neutral", "one source states a version")
            };
            (class, text.to_owned())
        };
        Self { class, text }
    }

    pub(crate) fn of_line(line: &DriftLine) -> Self {
        Self::of(&line.entry.versions, &line.standings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_that_is_behind_is_named() {
        use Standing::{Alone, Behind, LeftOut, Newest, Unordered};
        let tokens = ["label_tool", "cask_catalog", "mdm_installer"];
        let versions = tokens.map(|source| SourceVersion {
            source: source.to_owned(),
            version: "1".to_owned(),
            parsed_ok: true,
        });
        for (standings, expected) in [
            (&[Behind, Newest, Newest][..], "Installomator behind"),
            (&[Behind, Behind, Newest], "Installomator and Homebrew Cask behind"),
            (&[Behind, Newest, Unordered], "Installomator behind"),
            (&[Newest, Newest, Unordered], "cannot compare"),
            (&[LeftOut, Newest, Newest], "sources in step"),
            (&[LeftOut, Alone], "cannot compare"),
            (&[Newest, Newest, Newest], "sources in step"),
            (&[Alone], "one source states a version"),
            (&[], "no source states a version"),
        ] {
            assert_eq!(Verdict::of(&versions, standings).text, expected);
        }
    }
}
