//! The names that lead to apps, with constant-time lookup, ignoring case.

use std::hash::BuildHasher;

use appstitch_stitching::bounds::LISTED_MATCHES;
use appstitch_text::fold_case;
use appstitch_types::{Alias, AliasKind, AliasMatch, AliasMatches};
use hashbrown::{DefaultHashBuilder, HashTable};

use crate::{slugs::Slugs, variants::VariantIndex};

/// The names of all apps, except slugs that are found in [`Slugs`] as they are.
#[derive(Default)]
pub(crate) struct AliasIndex {
    names: NameTable,
    /// The start of each name's entries, and the end of the last one's.
    starts: Box<[u32]>,
    /// By kind, then in slug order.
    entries: Box<[(AliasKind, u32)]>,
}

/// Folded names in one buffer, with a hash table from each name to its number.
#[derive(Default)]
struct NameTable {
    text: String,
    ends: Vec<usize>,
    hasher: DefaultHashBuilder,
    numbers: HashTable<u32>,
}

impl NameTable {
    fn name(&self, number: u32) -> &str {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[number]]
    }

    fn find(&self, name: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(name);
        self.numbers.find(hash, |number| self.name(*number) == name).copied()
    }

    fn number_of(&mut self, name: &str) -> u32 {
        if let Some(number) = self.find(name) {
            return number;
        }
        // A catalog never has four billion names.
        let number = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        self.text.push_str(name);
        self.ends.push(self.text.len());
        let hash = self.hasher.hash_one(name);
        let mut numbers = std::mem::take(&mut self.numbers);
        let rehash = |number: &u32| self.hasher.hash_one(self.name(*number));
        numbers.insert_unique(hash, number, rehash);
        self.numbers = numbers;
        number
    }
}

impl AliasIndex {
    pub(crate) fn size(&self) -> usize {
        self.names.text.capacity()
            + self.names.ends.capacity() * size_of::<usize>()
            + self.names.numbers.allocation_size()
            + size_of_val(&*self.starts)
            + size_of_val(&*self.entries)
    }

    /// Every name, in folded case.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        (0..).take(self.names.ends.len()).map(|number| self.names.name(number))
    }

    /// The kinds and positions of the apps that a name leads to.
    fn entries(&self, folded: &str) -> &[(AliasKind, u32)] {
        let Some(number) = self.names.find(folded) else { return &[] };
        let number = number as usize;
        &self.entries[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    pub(crate) fn find(&self, name: &str, slugs: &Slugs) -> Option<AliasMatches> {
        let folded = fold_case(name);
        let slug = slugs.find(name).or_else(|| slugs.find(&folded));
        let by_slug = slug.map(|position| (AliasKind::Slug, position));
        let by_slug = by_slug.filter(|entry| !self.entries(&folded).contains(entry));
        let matches: Vec<AliasMatch> = by_slug
            .iter()
            .chain(self.entries(&folded))
            .take(LISTED_MATCHES)
            .map(|(kind, position)| AliasMatch {
                slug: slugs.slug(*position).to_owned(),
                kind: *kind,
            })
            .collect();
        (!matches.is_empty()).then_some(AliasMatches { matches })
    }

    pub(crate) fn only(&self, name: &str, slugs: &Slugs) -> Option<u32> {
        let folded = fold_case(name);
        let mut positions = slugs
            .find(&folded)
            .into_iter()
            .chain(self.entries(&folded).iter().map(|entry| entry.1));
        let first = positions.next()?;
        positions.all(|position| position == first).then_some(first)
    }

    /// The only app that has a name as its token, former token or label, or as its slug in another case.
    /// A name that is also an identifier of another app does not count.
    pub(crate) fn only_by_name(&self, name: &str, slugs: &Slugs) -> Option<u32> {
        let position = self.only(name, slugs)?;
        let named = self.entries(&fold_case(name)).iter().any(|(kind, _)| {
            use AliasKind::{FormerToken, LabelName, Slug, Token};
            matches!(kind, Slug | Token | FormerToken | LabelName)
        });
        (named || fold_case(slugs.slug(position)) == fold_case(name)).then_some(position)
    }
}

/// An index being collected, app by app in slug order.
#[derive(Default)]
pub(crate) struct AliasIndexBuilder {
    names: NameTable,
    /// The number of the name, the kind and the position of the app.
    entries: Vec<(u32, AliasKind, u32)>,
}

impl AliasIndexBuilder {
    pub(crate) fn push(&mut self, position: u32, slug: &str, aliases: &[Alias]) {
        let mut add = |kind: AliasKind, name: &str| {
            let number = self.names.number_of(name);
            self.entries.push((number, kind, position));
        };
        let folded = fold_case(slug);
        if folded != slug {
            add(AliasKind::Slug, &folded);
        }
        for alias in aliases {
            add(alias.kind, &fold_case(&alias.name));
        }
    }

    /// Finishes the index. A name that several variants of a product have leads to one of them: to
    /// the one with this slug, otherwise to the main one.
    pub(crate) fn finish(mut self, variants: &VariantIndex, slugs: &Slugs) -> AliasIndex {
        self.entries.sort_unstable();
        self.entries.dedup();
        let mut starts = Vec::with_capacity(self.names.ends.len() + 1);
        let mut entries = Vec::with_capacity(self.entries.len());
        starts.push(0);
        for of_name in self.entries.chunk_by(|left, right| left.0 == right.0) {
            let with_slug = slugs.find(self.names.name(of_name[0].0));
            for of_kind in of_name.chunk_by(|left, right| left.1 == right.1) {
                let positions: Vec<u32> = of_kind.iter().map(|entry| entry.2).collect();
                let kind = of_kind[0].1;
                let with_slug = with_slug.filter(|with| variants.are_of_one(*with, &positions));
                match with_slug.or_else(|| variants.main_of_all(&positions)) {
                    Some(position) => entries.push((kind, position)),
                    None => entries.extend(positions.into_iter().map(|position| (kind, position))),
                }
            }
            starts.push(u32::try_from(entries.len()).unwrap_or(u32::MAX));
        }
        self.names.text.shrink_to_fit();
        self.names.ends.shrink_to_fit();
        AliasIndex { names: self.names, starts: starts.into(), entries: entries.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{slugs::SlugsBuilder, variants::VariantIndexBuilder};

    /// A slug, the main record of its product, and its names.
    type Named<'a> = (&'a str, Option<&'a str>, &'a [(AliasKind, &'a str)]);

    fn index(apps: &[Named<'_>]) -> (AliasIndex, Slugs) {
        let mut slugs = SlugsBuilder::with_capacity(apps.len());
        let mut aliases = AliasIndexBuilder::default();
        let mut variants = VariantIndexBuilder::default();
        for (position, (slug, variant_of, names)) in (0..).zip(apps) {
            slugs.push(slug);
            let named =
                |(kind, name): &(AliasKind, &str)| Alias { kind: *kind, name: (*name).to_owned() };
            aliases.push(position, slug, &names.iter().map(named).collect::<Vec<_>>());
            variants.push(position, *variant_of);
        }
        let slugs = slugs.finish();
        let variants = variants.finish(&slugs);
        (aliases.finish(&variants, &slugs), slugs)
    }

    fn found(index: &(AliasIndex, Slugs), name: &str) -> Vec<(AliasKind, String)> {
        let matches = index.0.find(name, &index.1).map(|found| found.matches).unwrap_or_default();
        matches.into_iter().map(|found| (found.kind, found.slug)).collect()
    }

    fn only<'a>(index: &'a (AliasIndex, Slugs), name: &str) -> Option<&'a str> {
        index.0.only(name, &index.1).map(|position| index.1.slug(position))
    }

    #[test]
    fn every_name_leads_to_its_app_whatever_its_case() {
        use AliasKind::{BundleId, FormerToken, Slug, Token};
        let index = index(&[
            ("Alpha", None, &[(Token, "alpha-app"), (BundleId, "com.example.Alpha")]),
            ("beta", None, &[(FormerToken, "alpha-app"), (Token, "Beta")]),
        ]);
        assert_eq!(found(&index, "ALPHA"), [(Slug, "Alpha".into())]);
        assert_eq!(found(&index, "Alpha"), [(Slug, "Alpha".into())]);
        assert_eq!(found(&index, "beta"), [(Slug, "beta".into()), (Token, "beta".into())]);
        assert_eq!(found(&index, "com.example.ALPHA"), [(BundleId, "Alpha".into())]);
        assert_eq!(
            found(&index, "alpha-app"),
            [(Token, "Alpha".into()), (FormerToken, "beta".into())]
        );
        assert_eq!(found(&index, "nobody"), []);
        let names: Vec<&str> = index.0.names().collect();
        assert_eq!(names, ["alpha", "alpha-app", "com.example.alpha", "beta"]);
        assert_eq!(only(&index, "com.example.alpha"), Some("Alpha"));
        assert_eq!(only(&index, "BETA"), Some("beta"));
        assert_eq!(only(&index, "alpha-app"), None, "of two apps");
        assert_eq!(only(&index, "nobody"), None);
    }

    #[test]
    fn a_name_of_all_variants_leads_to_the_main_one() {
        use AliasKind::{LabelName, TeamId, TitleCode, Token};
        let index = index(&[
            ("other", None, &[(TeamId, "ABCDE12345")]),
            ("sample", Some("sample"), &[(Token, "a-sample"), (TeamId, "ABCDE12345")]),
            (
                "samplepkg",
                Some("sample"),
                &[(Token, "a-sample"), (LabelName, "sampleinstaller"), (TitleCode, "0A1")],
            ),
            ("samplepkg_da", Some("sample"), &[(TitleCode, "0A1")]),
        ]);
        assert_eq!(found(&index, "a-sample"), [(Token, "sample".into())]);
        assert_eq!(only(&index, "a-sample"), Some("sample"));
        assert_eq!(found(&index, "0A1"), [(TitleCode, "samplepkg".into())], "not of the main one");
        assert_eq!(found(&index, "sampleinstaller"), [(LabelName, "samplepkg".into())]);
        assert_eq!(found(&index, "abcde12345").len(), 2, "another product has it, too");
    }

    #[test]
    fn a_name_that_is_also_the_slug_of_a_variant_leads_to_that_variant() {
        use AliasKind::{Slug, Token};
        // The token of the first one is its slug, so it is no alias.
        let index = index(&[
            ("sample", Some("sample"), &[]),
            ("sample_da", Some("sample"), &[(Token, "sample")]),
            ("samplepkg", Some("sample"), &[(Token, "sample")]),
        ]);
        assert_eq!(found(&index, "Sample"), [(Slug, "sample".into()), (Token, "sample".into())]);
        assert_eq!(only(&index, "SAMPLE"), Some("sample"));
    }
}
