//! What is known of an app that is compared with the titles.

use appstitch_text::normal_name::normal;
use appstitch_versions::stated::Stated;

use super::evidence::Clue;
use crate::{
    publishers::{self, names::fold_name},
    stitch::{
        Parts,
        likeness::{has_number, has_words_of},
        vendors::Attributed,
    },
    variant::Distinction,
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

    pub(super) fn has_major(&self, major: u64) -> bool {
        self.versions.iter().any(|own| numbers(own).first() == Some(&major))
    }

    /// Whether a version of the app begins with these numbers.
    pub(super) fn begins_with(&self, start: &[u64]) -> bool {
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

/// The numbers of a version, up to the fourth one.
pub(super) fn numbers(version: &str) -> Vec<u64> {
    let parts = version.split(|character: char| !character.is_ascii_digit());
    parts.filter_map(|part| part.parse().ok()).take(4).collect()
}
