//! What is compared with the titles: the facts of an app, and the titles of one product.

use std::collections::{HashMap, HashSet};

use appstitch_text::normal_name::normal;
use appstitch_versions::stated::Stated;

use super::{evidence::Clue, name::Reading};
use crate::{
    documents::PatchTitle,
    publishers::{self, names::fold_name},
    stitch::{
        Parts,
        likeness::{has_number, has_words_of},
        vendors::Attributed,
    },
    variant::{Distinction, is_like_a_major},
};

pub(super) struct Facts {
    /// The slug in the form in which names are compared.
    slug: String,
    vendor: Option<String>,
    /// The versions that the sources state.
    versions: Vec<String>,
    /// The edition of the cask, or the channel in the slug.
    channels: Vec<String>,
}

impl Facts {
    pub(super) fn of(
        apps: &[Parts<'_>],
        mains: &[Option<usize>],
        position: usize,
        vendors: &[Attributed<String>],
    ) -> Self {
        let parts = &apps[position];
        let cask = parts.cask.map(|(_, facts)| facts);
        let label = parts.label.as_ref().and_then(|(_, literals)| literals.version());
        let title = parts.title.and_then(|title| title.source.version.as_deref());
        let listing = parts.listing.map(|listing| listing.raw.read());
        let listing = listing.as_ref().and_then(|raw| raw.get("version")?.as_str());
        let versions = [cask.and_then(|cask| cask.version.as_deref()), label, title, listing];
        let slug = parts.slug.as_str();
        let main = mains[position].map_or(slug, |main| apps[main].slug.as_str());
        let channel = Distinction::between(slug, main).and_then(Distinction::into_channel);
        let edition = cask.and_then(|cask| cask.edition.clone());
        Self {
            slug: normal(slug),
            vendor: vendors[position].as_ref().map(|(_, vendor)| vendor.clone()),
            versions: versions.into_iter().flatten().map(str::to_owned).collect(),
            channels: edition.into_iter().chain(channel).collect(),
        }
    }

    pub(super) fn has_slug(&self, name: &str) -> bool {
        self.slug == name
    }

    /// Whether the maker's words begin the name of the vendor.
    pub(super) fn is_made_by(&self, maker: &str) -> bool {
        let Some(vendor) = &self.vendor else { return false };
        let words: Vec<&str> = vendor.split_whitespace().collect();
        maker.len() >= 2 && (1..=words.len()).any(|count| normal(&words[..count].concat()) == maker)
    }

    pub(super) fn publisher(&self, publisher: Option<&str>) -> Option<Clue> {
        let (publisher, vendor) = (publisher?, self.vendor.as_deref()?);
        let known = publishers::directory().named(publisher);
        let name = known.map_or(publisher, |known| &known.name);
        let is_same = fold_name(name) == fold_name(vendor)
            || has_words_of(vendor, publisher)
            || has_words_of(publisher, vendor);
        if is_same {
            return Some(Clue::SamePublisher);
        }
        known.map(|_| Clue::OtherPublisher)
    }

    pub(super) fn release(&self, version: Option<&str>) -> Option<Clue> {
        let version = version?;
        // One number can be of anything.
        let is_long = numbers(version).len() >= 2;
        let is_same = |own: &String| is_long && Stated::compare(own, version).is_exact();
        if self.versions.iter().any(is_same) {
            return Some(Clue::SameRelease);
        }
        let major = *numbers(version).first()?;
        self.has_major(major).then_some(Clue::SameMajor)
    }

    fn has_major(&self, major: u64) -> bool {
        self.versions.iter().any(|own| numbers(own).first() == Some(&major))
    }

    /// Whether a version of the app begins with these numbers.
    fn begins_with(&self, start: &[u64]) -> bool {
        self.versions.iter().any(|own| numbers(own).starts_with(start))
    }

    /// Whether a title with this number in its name can be the app of the whole name: the number is the
    /// major version of both, or of neither of them.
    pub(super) fn may_be_named(&self, number: Option<&str>, version: Option<&str>) -> bool {
        let Some(number) = number.map(numbers) else { return true };
        let own = version.map(numbers).unwrap_or_default();
        let is_part_of_name = !own.is_empty() && own.first() != number.first();
        is_part_of_name || self.versions.is_empty() || self.begins_with(&number)
    }

    /// Whether the app is of a channel that the title names. The plain app is always.
    pub(super) fn is_channel_of(&self, title: &str) -> bool {
        let title = normal(title);
        self.channels.iter().map(|channel| normal(channel)).all(|channel| {
            let is_number = channel.bytes().all(|byte| byte.is_ascii_digit());
            if is_number { has_number(&title, &channel) } else { title.contains(&channel) }
        })
    }
}

/// The newest versions of the titles of one product with one major version.
#[derive(Default)]
struct Newest {
    of_all: Vec<u64>,
    /// Of the titles with a number in the name.
    of_numbered: Vec<u64>,
}

/// The titles of a product: those whose names are the same apart from the number.
#[derive(Default)]
pub(super) struct Families {
    /// By the normal name without the number, and the major version.
    newest: HashMap<(String, u64), Newest>,
    /// The names of titles that cover all versions.
    combined: HashSet<String>,
}

impl Families {
    pub(super) fn of(titles: &[PatchTitle]) -> Self {
        let mut families = Self::default();
        for title in titles {
            if title.covers_all_versions {
                families.combined.insert(normal(&title.name));
            }
            let version = title.version.as_deref().map(numbers).unwrap_or_default();
            let Some(&major) = version.first() else { continue };
            let newest = families.newest.entry((stem(title), major)).or_default();
            if Reading::of(title).number().is_some() && version > newest.of_numbered {
                newest.of_numbered.clone_from(&version);
            }
            if version > newest.of_all {
                newest.of_all = version;
            }
        }
        families
    }

    /// Whether there is a title with the same name for all versions.
    pub(super) fn has_twin(&self, title: &PatchTitle) -> bool {
        self.combined.contains(&normal(&title.name))
    }

    /// Whether the number in a title's name is the app's major version.
    pub(super) fn fit(&self, title: &PatchTitle, number: Option<&str>, facts: &Facts) -> bool {
        let Some(number) = number else { return true };
        let start = numbers(number);
        let Some(&first) = start.first() else { return true };
        if facts.begins_with(&start) {
            return true;
        }
        let own = title.version.as_deref().map(numbers).unwrap_or_default();
        let Some(&major) = own.first() else { return false };
        let is_year = (2000..2100).contains(&first) && first - 2000 == major;
        let is_short_year = (20..100).contains(&first) && first + 2000 == major;
        let is_a_word = !u32::try_from(first).is_ok_and(is_like_a_major);
        // `Sample 2016` and `Sample 2019` can both have the version 16: only the newest one is current.
        let may_be_current = is_year || is_short_year || is_a_word;
        may_be_current
            && start.len() == 1
            && facts.has_major(major)
            && self.is_newest_of_major(title, major, &own, is_a_word)
    }

    /// Whether no other title of the product has a newer version with the same major version. For a word
    /// such as `365`, only titles with a number are compared: the one for all versions can be ahead.
    fn is_newest_of_major(
        &self,
        title: &PatchTitle,
        major: u64,
        own: &[u64],
        only_numbered: bool,
    ) -> bool {
        self.newest.get(&(stem(title), major)).is_none_or(|newest| {
            let newest = if only_numbered { &newest.of_numbered } else { &newest.of_all };
            newest[..] <= *own
        })
    }
}

fn stem(title: &PatchTitle) -> String {
    let reading = Reading::of(title);
    let number = reading.number();
    let words = title.name.split_whitespace().filter(|word| Some(*word) != number);
    normal(&words.collect::<String>())
}

/// The numbers of a version, up to the fourth one.
fn numbers(version: &str) -> Vec<u64> {
    let parts = version.split(|character: char| !character.is_ascii_digit());
    parts.filter_map(|part| part.parse().ok()).take(4).collect()
}
