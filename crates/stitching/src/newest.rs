//! The newest version that an app's sources state.
//!
//! Versions compete only if they can be ordered and are counted in the same way. If they are not,
//! the scheme that most sources use is taken, and otherwise that of the label, the cask, the title.
//!
//! The store does not take part. It lists a separate edition, which is reviewed and released
//! separately, and nothing the catalog serves installs that edition: neither the download nor the
//! label. Its version would name a release that the record does not offer.

pub(crate) mod omission;

use std::cmp::Ordering;

use appstitch_text::served;
use appstitch_types::SameReleaseRule as Rule;
use appstitch_types::{MdmInstallerSource, Source};
use appstitch_versions::{
    Version,
    stated::{Stated, joined},
    written,
};
use omission::{Omission, misspelled};

use crate::{
    cask::CaskFacts,
    label::{
        literal::Literals,
        stated_version::{is_cut, label_version},
    },
};

/// Words in the names of labels that install an older release on purpose.
const HELD_BACK: [&str; 1] = ["deferred"];

#[derive(Clone, Copy)]
pub struct VersionedSources<'a> {
    pub label: Option<&'a Literals>,
    pub(crate) label_version: Option<&'a str>,
    pub cask: Option<&'a CaskFacts>,
    pub title: Option<&'a MdmInstallerSource>,
}

impl<'a> VersionedSources<'a> {
    /// Keeps the sources that describe the same edition of the app: a label can be made for one
    /// major version, or for a release that is held back, and a cask for a beta.
    pub fn new(
        label: Option<(&str, &'a Literals)>,
        cask: Option<&'a CaskFacts>,
        title: Option<&'a MdmInstallerSource>,
    ) -> Self {
        // Titles describe the plain edition of an app.
        let is_plain = cask.is_none_or(|cask| cask.edition.is_none());
        let title = title.filter(|_| is_plain);
        let Some((name, literals)) = label else {
            let stated = Self { label: None, label_version: None, cask, title };
            return if is_plain { stated.without_stages() } else { stated };
        };
        let label_version =
            label_version(literals, cask.and_then(|cask| cask.full_version.as_deref()));
        let kept = label_version.map(|version| KeptRelease::of(name, version));
        // A release that only some may have is not the newest for everyone.
        let staged = cask.filter(|cask| cask.is_staged && label_version.is_some());
        let staged = staged.and_then(|cask| cask.full_version.as_deref());
        let is_staged = |version: &Option<String>| {
            let versions = version.as_deref().zip(staged);
            versions.is_some_and(|(version, staged)| Stated::compare(version, staged).is_same())
        };
        let cask = cask.filter(|_| staged.is_none());
        let title = title.filter(|title| !is_staged(&title.version));
        let fits = |version: Option<&str>| kept.as_ref().is_none_or(|kept| kept.accepts(version));
        let stated = Self {
            label: Some(literals),
            label_version,
            cask: cask.filter(|cask| fits(cask.version.as_deref())),
            title: title.filter(|title| fits(title.version.as_deref())),
        };
        if is_plain { stated.without_stages() } else { stated }
    }

    /// The sources without those that state a pre-release, if others state a release.
    #[must_use]
    pub fn without_stages(self) -> Self {
        let is_release =
            |text: Option<&str>| !text.is_some_and(|text| is_stage(text, self.full_versions()));
        let label_version = self.label_version.filter(|version| is_release(Some(version)));
        let label = self.label.filter(|_| label_version == self.label_version);
        let cask = self.cask.filter(|cask| is_release(cask.full_version.as_deref()));
        let title = self.title.filter(|title| is_release(title.version.as_deref()));
        let releases = Self { label, label_version, cask, title };
        if releases.statements().next().is_some() { releases } else { self }
    }

    /// The sources without one of them.
    pub(crate) fn without(self, source: Source) -> Self {
        let is_label = source == Source::LabelTool;
        Self {
            label: self.label.filter(|_| !is_label),
            label_version: self.label_version.filter(|_| !is_label),
            cask: self.cask.filter(|_| source != Source::CaskCatalog),
            title: self.title.filter(|_| source != Source::MdmInstaller),
        }
    }

    pub fn full_versions(self) -> impl Iterator<Item = &'a str> {
        self.statements().map(|statement| statement.full)
    }

    /// The stated versions in the order label, cask, title.
    fn statements(self) -> impl Iterator<Item = Statement<'a>> {
        let of_label = self.label_version;
        let of_cask = self
            .cask
            .and_then(|cask| Some((cask.version.as_deref()?, cask.full_version.as_deref()?)));
        let of_title = self.title.and_then(|title| title.version.as_deref());
        [
            of_label.map(|version| (Source::LabelTool, version, version)),
            of_cask.map(|(version, full)| (Source::CaskCatalog, version, full)),
            of_title.map(|version| (Source::MdmInstaller, version, version)),
        ]
        .into_iter()
        .flatten()
        .filter(|(_, version, _)| is_version_like(version))
        .map(|(source, version, full)| Statement { source, version, full })
    }
}

pub(crate) fn is_before_release(version: &str) -> bool {
    Version::parse(version).is_some_and(|version| version.is_before_release())
}

/// Whether a version is a pre-release, and one of the others a release.
pub(crate) fn is_stage<'a>(version: &str, mut others: impl Iterator<Item = &'a str>) -> bool {
    // Some write a release like a pre-release, or the other way round.
    let is_release = |other: &str| {
        !is_before_release(other)
            && !Stated::compare(version, other).is_same()
            && !joined::seems_run_together(other, version)
    };
    is_before_release(version) && others.any(is_release)
}

/// The release that a label installs on purpose, whatever else there is.
pub(crate) struct KeptRelease {
    is_held_back: bool,
    major: Option<Version>,
}

impl KeptRelease {
    pub(crate) fn of(label: &str, version: &str) -> Self {
        let label_in_lower_case = label.to_ascii_lowercase();
        Self {
            is_held_back: HELD_BACK.iter().any(|word| label_in_lower_case.contains(word)),
            major: named_major(label, version),
        }
    }

    /// Whether the version of another source can be of the same edition.
    pub(crate) fn accepts(&self, version: Option<&str>) -> bool {
        !self.is_held_back
            && match (&self.major, version.and_then(Version::parse)) {
                (Some(major), Some(other)) => major.has_same_major(&other),
                _ => true,
            }
    }
}

/// Whether a text can be a version at all. Running a label can produce words and parts of URLs.
fn is_version_like(text: &str) -> bool {
    served::check_value("version", text).is_ok()
        && text.contains(|character: char| character.is_ascii_digit())
        && !text.contains('/')
}

/// The label's version, if the label's name ends in its major version: `sample3` and 3.15.
fn named_major(name: &str, version: &str) -> Option<Version> {
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let named = Version::parse(&name[name.len() - digits..])?;
    Version::parse(version).filter(|version| version.has_same_major(&named))
}

#[derive(Debug, Clone, Copy)]
pub struct Statement<'a> {
    pub source: Source,
    /// Without its build.
    pub version: &'a str,
    /// As the source writes it.
    full: &'a str,
}

impl Statement<'_> {
    /// Whether the version is newer, or states the same release more completely or in a more regular
    /// notation.
    fn is_better_than(&self, other: &Self) -> bool {
        match Stated::compare(self.full, other.full) {
            Stated::Different(order) => order == Some(Ordering::Greater),
            Stated::Same(Rule::SaysLess | Rule::ZeroLost) => {
                self.version.len() > other.version.len()
            }
            Stated::Same(_) => {
                written::is_regular(self.version) && !written::is_regular(other.version)
            }
        }
    }
}

#[derive(Debug)]
pub struct Newest<'a> {
    pub chosen: Statement<'a>,
    others: Vec<Statement<'a>>,
    omitted: Vec<(Statement<'a>, Omission)>,
    /// Whether the label states only the beginning of the cask's version.
    is_label_cut: bool,
}

impl<'a> Newest<'a> {
    /// `None` if no source states a version.
    pub fn choose(sources: VersionedSources<'a>) -> Option<Self> {
        let mut competing = Vec::new();
        let mut omitted = Vec::new();
        for statement in sources.statements() {
            match Version::parse(statement.full) {
                Some(version) => competing.push((statement, version)),
                None => omitted.push((statement, Omission::Unordered)),
            }
        }
        if competing.is_empty() {
            if omitted.is_empty() {
                return None;
            }
            let (chosen, _) = omitted.remove(0);
            return Some(Self { chosen, others: Vec::new(), omitted, is_label_cut: false });
        }
        omit(&mut competing, &mut omitted, misspelled);
        let common = most_common_scheme(&competing)?;
        omit(&mut competing, &mut omitted, |(statement, _), _| {
            (!Stated::are_counted_alike(statement.full, common)).then_some(Omission::OtherScheme)
        });
        let mut statements = competing.into_iter().map(|(statement, _)| statement);
        let mut chosen = statements.next()?;
        let mut others: Vec<Statement<'a>> = statements.collect();
        for other in &mut others {
            if other.is_better_than(&chosen) {
                std::mem::swap(other, &mut chosen);
            }
        }
        others.sort_by_key(|statement| statement.source);
        let of_cask = sources.cask.and_then(|cask| cask.full_version.as_deref());
        let is_label_cut =
            sources.label.zip(of_cask).is_some_and(|(label, cask)| is_cut(label, cask));
        Some(Self { chosen, others, omitted, is_label_cut })
    }

    /// Whether the version of a source means this release.
    pub fn is(&self, source: Source, version: &str) -> bool {
        self.chosen.source == source
            || Stated::compare(self.chosen.full, version).is_exact()
            || self.omitted.iter().any(|(statement, omission)| {
                statement.source == source
                    && matches!(
                        omission,
                        Omission::RunTogether | Omission::FirstPartLost | Omission::BuildAlone
                    )
            })
    }

    /// Whether this version replaces the one that the source states: that one is older or not a
    /// version at all. A version that is only counted differently stays as it is.
    pub fn replaces(&self, source: Source) -> bool {
        let is_same = |other: &Statement<'_>| {
            other.source == source && Stated::compare(other.full, self.chosen.full).is_same()
        };
        let is_counted_differently = |(statement, omission): &(Statement<'_>, Omission)| {
            statement.source == source && *omission != Omission::Unordered
        };
        self.chosen.source != source
            && !self.others.iter().any(is_same)
            && !self.omitted.iter().any(is_counted_differently)
    }

    /// Whether this version is the one that the source states, with the separators that it lacks.
    pub(crate) fn respells(&self, source: Source) -> bool {
        self.omitted.iter().any(|(statement, omission)| {
            statement.source == source && *omission == Omission::RunTogether
        })
    }

    /// As the source writes it, with its build.
    pub fn full(&self) -> &'a str {
        self.chosen.full
    }

    /// `None` if no source disagrees.
    pub fn reason(&self) -> Option<String> {
        let is_same =
            |other: &Statement<'_>| Stated::compare(other.full, self.chosen.full).is_same();
        let named =
            |statement: &Statement<'_>| format!("{} {}", statement.source.token(), statement.full);
        let is_cut = |other: &&Statement<'_>| {
            self.is_label_cut && other.source == Source::LabelTool && !is_same(other)
        };
        // The same release in another spelling, and what it lacks.
        let spelled = |(statement, omission): &(Statement<'_>, Omission)| match omission {
            Omission::Unordered => named(statement),
            _ => format!("{} ({})", named(statement), omission.words()),
        };
        let (same, aside): (Vec<_>, Vec<_>) =
            self.omitted.iter().partition(|(statement, _)| is_same(statement));
        let others = || self.others.iter().filter(|other| !is_cut(other));
        let is_disputed = others().any(|other| !is_same(other));
        let is_respelled = same.iter().any(|(statement, _)| statement.full != self.chosen.full);
        let mut set_aside: Vec<String> =
            aside.iter().map(|(other, why)| format!("{} {}", named(other), why.words())).collect();
        let cut = self.others.iter().filter(is_cut);
        set_aside.extend(cut.map(|other| format!("{} is only the beginning", named(other))));
        if !is_disputed && !is_respelled && set_aside.is_empty() {
            return None;
        }
        let mut compared: Vec<(Source, String)> =
            others().map(|other| (other.source, named(other))).collect();
        compared.extend(same.iter().map(|other| (other.0.source, spelled(other))));
        compared.sort();
        let all = std::iter::once(named(&self.chosen)).chain(compared.into_iter().map(|one| one.1));
        let all: Vec<String> = all.collect();
        let listed = all.join(", ");
        let compared = match all.len() {
            1 => listed,
            number if is_disputed => format!("newest of {number}: {listed}"),
            _ => format!("same release: {listed}"),
        };
        Some(std::iter::once(compared).chain(set_aside).collect::<Vec<_>>().join("; "))
    }
}

type Competing<'a> = (Statement<'a>, Version);

/// Moves the statements for which `rule` gives an omission; the rule sees all of them.
fn omit<'a>(
    competing: &mut Vec<Competing<'a>>,
    omitted: &mut Vec<(Statement<'a>, Omission)>,
    rule: impl Fn(&Competing<'a>, &[Competing<'a>]) -> Option<Omission>,
) {
    let verdicts: Vec<Option<Omission>> =
        competing.iter().map(|statement| rule(statement, competing)).collect();
    let mut verdicts = verdicts.into_iter();
    competing.retain(|(statement, _)| match verdicts.next().flatten() {
        Some(omission) => {
            omitted.push((*statement, omission));
            false
        }
        None => true,
    });
}

/// A version that is counted like most others.
fn most_common_scheme<'a>(competing: &[Competing<'a>]) -> Option<&'a str> {
    let versions = competing.iter().map(|(statement, _)| statement.full);
    let shared = |version: &str| {
        let alike =
            competing.iter().filter(|(other, _)| Stated::are_counted_alike(other.full, version));
        alike.count()
    };
    // The last of equally common ones wins, so the order is reversed.
    versions.rev().max_by_key(|version| shared(version))
}

#[cfg(test)]
mod tests;
