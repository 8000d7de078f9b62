//! Finds the records that are deliveries of the same product, and the main one among them.
//!
//! Records belong together if they have the same cask, casks of the same name (`sample`,
//! `sample@beta`) or of the same file, the same bundle identifier, the same maker and name, or the
//! same signer and a slug that differs only in words for a delivery (`sample`, `samplepkg`) or in the
//! major version (`sample12`, `sample13`), or the same maker and a token that differs only in words for an
//! edition (`sample`, `sample-ce`).

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    hash::Hash,
};

use appstitch_text::normal_name::normal;

use crate::{
    cask::plain_token,
    variant::{Distinction, is_like_a_major, is_year, numbered, rest_after},
};

/// The values of a record that decide whether it is a variant of another one.
pub(super) struct Profile<'a> {
    pub(super) slug: &'a str,
    pub(super) has_label: bool,
    pub(super) cask: Option<&'a str>,
    pub(super) bundle_id: Option<String>,
    pub(super) team_id: Option<&'a str>,
    /// The vendor, what the label or the cask calls the app, and whether it is a command.
    pub(super) maker_and_name: Option<(&'a str, &'a str, bool)>,
    /// The URL of the cask's file.
    pub(super) file: Option<&'a str>,
    /// The version of the label, or of the cask.
    pub(super) version: Option<&'a str>,
}

impl<'p> Profile<'p> {
    /// The slug without its major version, in letters and digits.
    fn unnumbered_slug(&self) -> Option<String> {
        let at_the_end = self.numbered_product().map(|(stem, _)| folded(stem));
        at_the_end.or_else(|| self.numbered_inside())
    }

    /// The same if the major version stands inside the slug. A number there is often a part of the
    /// name, so the version must begin with it.
    fn numbered_inside(&self) -> Option<String> {
        let is_digit = |c: char| c.is_ascii_digit();
        let major =
            self.version?.split(|c| !is_digit(c)).next().filter(|major| !major.is_empty())?;
        let mut found = self.slug.match_indices(major).filter(|(start, _)| {
            let (before, behind) = (&self.slug[..*start], &self.slug[start + major.len()..]);
            !before.is_empty()
                && !before.ends_with(is_digit)
                && behind.starts_with(|c: char| c.is_ascii_alphabetic())
        });
        let (start, _) = found.next().filter(|_| found.next().is_none())?;
        Some(folded(&self.slug[..start]) + &folded(&self.slug[start + major.len()..]))
    }

    /// The maker and the slug without its major version, if that is what the product is called. A
    /// sequel has a number as well, but its own version or name.
    fn product_of_maker(&self) -> Option<(&'p str, String)> {
        let (maker, name, _) = self.maker_and_name?;
        let name = normal(name);
        let stem = match numbered(self.slug) {
            None => self.slug,
            Some(_) => self.numbered_product()?.0,
        };
        let stem = folded(stem);
        let unnumbered = name.trim_end_matches(|c: char| c.is_ascii_digit());
        (stem.len() >= MIN_STEM && !self.slug.contains('@') && unnumbered.ends_with(&stem))
            .then_some((maker, stem))
    }

    /// The maker and the cask's token without words for an edition of the same product.
    fn edition_of_maker(&self) -> Option<(&'p str, String)> {
        let mut stem = plain_token(self.cask?);
        while let Some((start, _)) =
            stem.rsplit_once('-').filter(|(_, end)| SAME_PRODUCT.contains(end))
        {
            stem = start;
        }
        (stem.len() >= MIN_STEM).then_some((self.maker_and_name?.0, stem.replace('-', "")))
    }

    /// The slug without the number at its end, if that is the major version of the record, and the
    /// major version. Without a known version, only a small number or a year is one. The year of an
    /// edition is in its name, however the edition counts its versions.
    fn numbered_product(&self) -> Option<(&'p str, u32)> {
        let (stem, number) = numbered(self.slug)?;
        let year = number.strip_prefix("20").filter(|year| year.len() == 2);
        let is_of_name = |(_, name, _): (&str, &str, bool)| name.ends_with(number);
        let major = match self.version {
            Some(_) if year.is_some() && self.maker_and_name.is_some_and(is_of_name) => number,
            Some(version) => {
                let first = version.split('.').next()?;
                // The day of a release has no major version.
                if first.len() == DAY && first.starts_with("20") {
                    return None;
                }
                let digits: String = version.chars().filter(char::is_ascii_digit).collect();
                let starts = |number: &&str| digits.starts_with(number);
                let named = [Some(number), year].into_iter().flatten().find(starts)?;
                // `90` is 9 for version 9.0; a version without separators says nothing.
                if named.starts_with(first) { first } else { named }
            }
            None if number.parse().is_ok_and(is_like_a_major) => number,
            None => return None,
        };
        let major: u32 = major.parse().ok()?;
        (stem.len() >= 3).then_some((stem, without_century(major)))
    }

    /// The major version: the one in the slug, or that of a slug without a number.
    fn major(&self) -> Option<u32> {
        let of_version = || self.version?.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok();
        match numbered(self.slug) {
            Some(_) => Some(self.numbered_product()?.1),
            None => of_version().map(without_century),
        }
    }

    /// Whether the slug is the cask's token, ignoring dashes. A record that has the name of the cask's
    /// predecessor does not.
    fn is_named_like_its_cask(&self) -> bool {
        self.cask.is_some_and(|token| rest_after(self.slug, token) == Some(""))
    }

    /// Whether the cask is a fork of another one: `maker-sample` and `sample`.
    fn is_fork_of(&self, other: &Self) -> bool {
        let (Some(token), Some(other)) = (self.cask, other.cask) else { return false };
        let start = token.strip_suffix(plain_token(other));
        start.is_some_and(|start| start.ends_with('-'))
    }
}

/// The position of the main record of each record's product; `None` for records without variants.
/// The profiles are in slug order.
pub(super) fn main_records(profiles: &[Profile<'_>]) -> Vec<Option<usize>> {
    let mut groups = Groups::new(profiles.len());
    groups.join_by(profiles, |profile| profile.cask.map(plain_token));
    groups.join_by(profiles, |profile| profile.file);
    groups.join_by(profiles, |profile| profile.maker_and_name);
    groups.join_by(profiles, |profile| Some((profile.team_id?, profile.unnumbered_slug()?)));
    groups.join_by(profiles, Profile::product_of_maker);
    groups.join_by(profiles, Profile::edition_of_maker);
    join_bundle_ids(&mut groups, profiles);
    join_deliveries(&mut groups, profiles);

    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for position in 0..profiles.len() {
        members.entry(groups.find(position)).or_default().push(position);
    }
    let mut mains = vec![None; profiles.len()];
    for group in members.into_values().filter(|group| group.len() > 1) {
        let main = main_of(profiles, &group);
        for member in group {
            mains[member] = main;
        }
    }
    mains
}

/// Joins records with one bundle identifier. Forks often keep that of the original.
fn join_bundle_ids(groups: &mut Groups, profiles: &[Profile<'_>]) {
    let mut owners: HashMap<String, Vec<usize>> = HashMap::new();
    for (position, profile) in profiles.iter().enumerate() {
        if let Some(id) = &profile.bundle_id {
            owners.entry(id.to_ascii_lowercase()).or_default().push(position);
        }
    }
    for owners in owners.values() {
        let is_fork = |position: &usize| {
            let mut others = owners.iter().take(COMPARED);
            others.any(|other| profiles[*position].is_fork_of(&profiles[*other]))
        };
        let mut originals = owners.iter().filter(|owner| !is_fork(owner));
        let Some(first) = originals.next() else { continue };
        originals.for_each(|other| groups.join(*first, *other));
    }
}

/// Joins records of one signer whose slugs differ only in words for a delivery. Slugs that start
/// alike are neighbors in slug order, so a record is compared with those before it only as long as
/// they start its slug.
fn join_deliveries(groups: &mut Groups, profiles: &[Profile<'_>]) {
    let mut starts: Vec<usize> = Vec::new();
    for (position, profile) in profiles.iter().enumerate() {
        starts.retain(|start| profile.slug.starts_with(profiles[*start].slug));
        for start in &starts {
            let other = &profiles[*start];
            let same_signer = profile.team_id.is_some() && profile.team_id == other.team_id;
            let is_delivery = || {
                let distinction = Distinction::between(profile.slug, other.slug);
                distinction.is_some_and(|distinction| distinction.is_delivery())
            };
            if same_signer && is_delivery() {
                groups.join(position, *start);
            }
        }
        starts.push(position);
    }
}

/// Comparing every pair of a large group would take too long; such a group is made of unrelated
/// records anyway.
const COMPARED: usize = 64;

/// The main record: not a special edition of another member, not limited to a major version or to
/// the newest one, with a label, named like its cask, the shortest slug, the first slug.
fn main_of(profiles: &[Profile<'_>], group: &[usize]) -> Option<usize> {
    let slug = |position: usize| profiles[position].slug;
    let is_special = |position: usize| {
        let others = group.iter().take(COMPARED).filter(|other| **other != position);
        let is_numbered = profiles[position].numbered_product().is_some();
        slug(position).contains('@')
            || profiles[position].cask.is_some_and(|token| token.contains('@'))
            || others.into_iter().any(|other| {
                let rest = rest_after(slug(position), slug(*other)).unwrap_or_default();
                !(rest.is_empty() || is_numbered && rest.bytes().all(|byte| byte.is_ascii_digit()))
            })
    };
    group.iter().copied().min_by_key(|position| {
        let profile = &profiles[*position];
        let is_newest = Reverse(profile.major().unwrap_or(u32::MAX));
        let is_former = !profile.is_named_like_its_cask();
        let slug = (profile.slug.len(), profile.slug);
        (is_special(*position), is_newest, !profile.has_label, is_former, slug)
    })
}

/// The minimum length of a slug without its number that tells a product of a maker.
const MIN_STEM: usize = 4;

/// How many digits a day has: `20260822`.
const DAY: usize = 8;

/// Words at the end of a token for an edition that is the same product. With others, such as `pro`, makers
/// also name other products.
const SAME_PRODUCT: [&str; 6] = ["ce", "community", "enterprise", "oss", "preview", "trial"];

/// A slug in letters and digits only.
fn folded(slug: &str) -> String {
    slug.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// `2024` and `24` are the same year.
fn without_century(major: u32) -> u32 {
    if is_year(major) { major - 2000 } else { major }
}

struct Groups(Vec<usize>);

impl Groups {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn find(&mut self, position: usize) -> usize {
        let mut root = position;
        while self.0[root] != root {
            self.0[root] = self.0[self.0[root]];
            root = self.0[root];
        }
        root
    }

    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.find(left), self.find(right));
        self.0[left.max(right)] = left.min(right);
    }

    fn join_by<'p, K: Eq + Hash>(
        &mut self,
        profiles: &'p [Profile<'p>],
        key: impl Fn(&'p Profile<'p>) -> Option<K>,
    ) {
        let mut first: HashMap<K, usize> = HashMap::new();
        for (position, profile) in profiles.iter().enumerate() {
            if let Some(key) = key(profile) {
                let first = *first.entry(key).or_insert(position);
                self.join(first, position);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile<'a>(slug: &'a str, cask: &'a str, id: &str, team: &'a str) -> Profile<'a> {
        let given = |text: &'a str| (!text.is_empty()).then_some(text);
        Profile {
            slug,
            has_label: !team.is_empty(),
            cask: given(cask),
            bundle_id: (!id.is_empty()).then(|| id.to_owned()),
            team_id: given(team),
            maker_and_name: None,
            file: None,
            version: None,
        }
    }

    fn mains<'a>(profiles: &[Profile<'a>]) -> Vec<&'a str> {
        let mains = main_records(profiles).into_iter();
        mains.map(|main| main.map_or("", |position| profiles[position].slug)).collect()
    }

    #[test]
    fn records_of_one_cask_or_of_its_channels_are_variants() {
        let profiles = [
            profile("my-sample@beta", "my-sample@beta", "", ""),
            profile("mysample", "my-sample", "", "ABCDE12345"),
            profile("mysamplepkg", "my-sample", "", "ABCDE12345"),
            profile("other", "other", "", ""),
        ];
        assert_eq!(mains(&profiles), ["mysample", "mysample", "mysample", ""]);
    }

    #[test]
    fn a_bundle_id_joins_records_whatever_its_case() {
        let profiles = [
            profile("sample", "", "com.example.Sample", "ABCDE12345"),
            profile("sampleenterprise", "", "com.example.sample", "ABCDE12345"),
            profile("unrelated", "", "com.example.unrelated", "ABCDE12345"),
        ];
        assert_eq!(mains(&profiles), ["sample", "sample", ""]);
    }

    #[test]
    fn the_same_signer_and_a_word_for_a_delivery_are_enough() {
        let profiles = [
            profile("sample", "", "", "ABCDE12345"),
            profile("sample_da", "", "", "ABCDE12345"),
            profile("samplefinder", "", "", "ABCDE12345"),
            profile("samplepkg", "", "", "ZZZZZ99999"),
            profile("sampleplus", "", "", "ABCDE12345"),
        ];
        assert_eq!(mains(&profiles), ["sample", "sample", "", "", ""]);
    }

    #[test]
    fn editions_of_one_maker_are_variants() {
        let made = |slug, maker, name| Profile {
            maker_and_name: Some((maker, name, false)),
            ..profile(slug, slug, "", "")
        };
        let profiles = [
            made("sample", "Maker", "Sample"),
            made("sample-ce", "Maker", "Sample Community"),
            made("sample-oss", "Other", "Sample"),
            made("sample-preview@beta", "Maker", "Sample Preview"),
            made("sample-pro", "Maker", "Sample Pro"),
            made("sample+", "Maker", "Sample+"),
        ];
        assert_eq!(mains(&profiles), ["sample", "sample", "", "sample", "", ""]);
        let dated = |slug, name| Profile { version: Some("20250829"), ..made(slug, "Maker", name) };
        let sequels = [dated("marathon", "Marathon"), dated("marathon2", "Marathon 2")];
        assert_eq!(mains(&sequels), ["", ""]);
    }

    #[test]
    fn numbered_products_of_one_signer_are_variants() {
        let numbered = |slug, version| Profile {
            version: Some(version),
            ..profile(slug, "", "", "ABCDE12345")
        };
        let profiles = [
            numbered("driver7800", "5.1"),
            numbered("driver7900", "5.2"),
            numbered("sample10x", "10.0.1"),
            numbered("sample11", "11.1"),
            numbered("sample12", "12011"),
            profile("sample13", "", "", "ABCDE12345"),
            numbered("sample2025", "25.1"),
            numbered("sample90x", "9.0.1"),
            profile("tool16", "", "", ""),
            profile("tool32", "", "", ""),
        ];
        let (alone, sample) = ([""; 2], ["sample2025"; 6]);
        assert_eq!(mains(&profiles), [&alone[..], &sample, &alone].concat());
    }

    #[test]
    fn a_major_version_inside_the_slug_is_told_by_the_version() {
        let versioned = |slug, version| Profile {
            version: Some(version),
            ..profile(slug, "", "", "ABCDE12345")
        };
        let profiles = [
            versioned("sample11kit", "11.0.2"),
            versioned("sample17kit", "17.1"),
            versioned("sample8kit", "8u502+9"),
            versioned("tool16ch", "0.6.1"),
            versioned("tool2ch", "0.7.1"),
        ];
        assert_eq!(mains(&profiles), ["sample17kit", "sample17kit", "sample17kit", "", ""]);
    }

    #[test]
    fn without_a_signer_the_maker_and_the_name_tell_the_product() {
        let made = |slug, maker, name, version| Profile {
            maker_and_name: Some((maker, name, false)),
            version: Some(version),
            ..profile(slug, slug, "", "")
        };
        let profiles = [
            made("my-tax-2025", "Maker", "My Tax 2025", "32.1"),
            made("my-tax-2026", "Maker", "My Tax 2026", "33.9"),
            made("racer", "Maker", "Racer", "1.3"),
            made("racer2", "Maker", "Racer 2", "4.0"),
            made("sample", "Maker", "Maker Sample", "11.1"),
            made("sample10", "Maker", "Sample 10", "10.4"),
            made("sample9", "Other", "Sample 9", "9.4"),
            made("walker", "Maker", "Walker", "1.4"),
            made("walker2", "Maker", "Walker II: Again", "2.1"),
        ];
        let tax = ["my-tax-2026"; 2];
        assert_eq!(
            mains(&profiles),
            [&tax[..], &["", "", "sample", "sample", "", "", ""]].concat()
        );
    }

    #[test]
    fn casks_of_one_file_are_variants_but_forks_are_not() {
        let of_file = |slug, file| Profile { file: Some(file), ..profile(slug, slug, "", "") };
        let profiles = [
            profile("maker-sample", "maker-sample", "com.example.sample", ""),
            of_file("other", "https://example.com/a.dmg"),
            of_file("other-for-admins", "https://example.com/a.dmg"),
            profile("sample", "sample", "com.example.sample", ""),
        ];
        assert_eq!(mains(&profiles), ["", "other", "other", ""]);
    }

    #[test]
    fn the_main_record_is_named_like_its_cask() {
        let profiles = [
            profile("former", "maker-sample", "", "ABCDE12345"),
            profile("makersample", "maker-sample", "", "ABCDE12345"),
        ];
        assert_eq!(mains(&profiles), ["makersample", "makersample"]);
    }

    #[test]
    fn the_main_record_is_that_of_the_newest_major_version() {
        let versioned = |slug, version| Profile {
            version: Some(version),
            ..profile(slug, "", "com.example.sample", "ABCDE12345")
        };
        let mains = |versions: [&'static str; 2]| {
            let profiles = [versioned("sample", versions[0]), versioned("sample2", versions[1])];
            mains(&profiles)
        };
        assert_eq!(mains(["1.5", "2.1"]), ["sample2", "sample2"]);
        assert_eq!(mains(["2026.1", "2.1"]), ["sample", "sample"]);
        assert_eq!(mains(["3.0", "2.1"]), ["sample", "sample"]);
    }

    #[test]
    fn a_record_limited_to_a_major_version_is_not_the_main_one() {
        let profiles = [
            profile("sample7", "sample@7", "", "ABCDE12345"),
            profile("sample8", "sample", "", "ABCDE12345"),
        ];
        assert_eq!(mains(&profiles), ["sample8", "sample8"]);
    }
}
