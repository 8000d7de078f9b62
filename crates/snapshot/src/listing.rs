//! Rows that can be filtered and paged, with indexes so that filters do not scan all rows.

use std::borrow::Cow;

use appstitch_catalog::{Source, SourceSet, fold_case};
use bytes::Bytes;
use hashbrown::HashMap;

use crate::{
    deprecated_ranks::{DeprecatedRanks, NO_RANKS},
    rows::{Rows, RowsBuilder},
};

/// The filters of a request.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only rows of this vendor, ignoring case.
    pub vendor: Option<String>,
    /// Only rows with this source.
    pub source: Option<String>,
    /// Only rows without this source.
    pub exclude_source: Option<String>,
    /// Only deprecated rows, or only others.
    pub deprecated: Option<bool>,
}

/// A filter resolved against a listing. Filters that select the same way have equal selections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Selection {
    /// No rows.
    Nothing,
    /// Every matching row.
    Rows {
        /// The id of a vendor.
        vendor: Option<u32>,
        /// A source that rows must have.
        include: Option<Source>,
        /// A source that rows must not have.
        exclude: Option<Source>,
        /// Whether rows must be deprecated, or must not be.
        deprecated: Option<bool>,
    },
}

impl Selection {
    #[cfg(test)]
    pub(crate) const EVERYTHING: Self =
        Self::Rows { vendor: None, include: None, exclude: None, deprecated: None };
}

/// Rows in slug order with their indexes.
#[derive(Default)]
pub struct Listing {
    rows: Rows,
    sources: Box<[SourceSet]>,
    vendor_ids: HashMap<String, u32>,
    by_vendor: Vec<Vec<u32>>,
    /// The rows that have the first source and lack the second, for every possible pair.
    by_sources: HashMap<SourcePair, Vec<u32>>,
    /// For the same pairs, the ranks of the deprecated rows within their list.
    deprecated_ranks: HashMap<SourcePair, DeprecatedRanks>,
    is_deprecated: Box<[bool]>,
}

/// A source that rows have, and one that they lack.
type SourcePair = (Option<Source>, Option<Source>);

impl Listing {
    /// The rows.
    #[must_use]
    #[inline]
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The sizes of the rows and of the indexes, in bytes.
    pub fn sizes(&self) -> (usize, usize) {
        let (rows, starts) = self.rows.sizes();
        let positions = self.by_vendor.iter().chain(self.by_sources.values());
        let positions: usize = positions.map(|list| list.capacity() * size_of::<u32>()).sum();
        let names: usize = self.vendor_ids.keys().map(String::capacity).sum();
        let tables = self.vendor_ids.allocation_size()
            + self.by_sources.allocation_size()
            + self.by_vendor.capacity() * size_of::<Vec<u32>>();
        let ranks: usize = self.deprecated_ranks.values().map(DeprecatedRanks::size).sum();
        let flags = size_of_val(&*self.sources) + size_of_val(&*self.is_deprecated);
        (rows, starts + flags + positions + names + tables + ranks)
    }

    /// Resolves a filter. An unknown vendor or source selects nothing; excluding an unknown source
    /// excludes nothing.
    pub fn select(&self, filter: &Filter) -> Selection {
        let vendor = match &filter.vendor {
            None => None,
            Some(vendor) => match self.vendor_ids.get(fold_case(vendor).as_str()) {
                None => return Selection::Nothing,
                found => found.copied(),
            },
        };
        let include = match &filter.source {
            None => None,
            Some(token) => match Source::from_token(token) {
                None => return Selection::Nothing,
                found => found,
            },
        };
        let exclude = filter.exclude_source.as_deref().and_then(Source::from_token);
        if include.is_some() && include == exclude {
            return Selection::Nothing;
        }
        Selection::Rows { vendor, include, exclude, deprecated: filter.deprecated }
    }

    /// The number of rows in a selection.
    pub fn count(&self, selection: Selection) -> usize {
        match self.resolve(selection) {
            Resolved::All => self.rows.len(),
            Resolved::Positions(positions) => positions.len(),
            Resolved::Split { length, ranks, deprecated, .. } => ranks.count(length, deprecated),
        }
    }

    /// The position of the first row of a vendor, whose name is folded.
    pub(crate) fn first_of_vendor(&self, folded: &str) -> Option<u32> {
        let id = self.vendor_ids.get(folded)?;
        self.by_vendor.get(*id as usize)?.first().copied()
    }

    /// The rows of a selection from one position within it up to, but excluding, another.
    pub fn page(&self, selection: Selection, from: usize, to: usize) -> Bytes {
        match self.resolve(selection) {
            Resolved::All => self.rows.slice(from, to),
            Resolved::Positions(positions) => {
                self.rows.gather(positions.get(from..to).unwrap_or_default())
            }
            Resolved::Split { list, length, ranks, deprecated } => {
                let ranks = ranks.page(length, deprecated, from, to);
                let position = |rank: u32| list.map_or(rank, |list| list[rank as usize]);
                self.rows.gather(&ranks.map(position).collect::<Vec<u32>>())
            }
        }
    }

    fn resolve(&self, selection: Selection) -> Resolved<'_> {
        let Selection::Rows { vendor, include, exclude, deprecated } = selection else {
            return Resolved::Positions(Cow::Borrowed(&[]));
        };
        let pair = (include, exclude);
        if let Some(vendor) = vendor {
            let of_vendor = self.by_vendor[vendor as usize].as_slice();
            if pair == (None, None) && deprecated.is_none() {
                return Resolved::Positions(Cow::Borrowed(of_vendor));
            }
            // A vendor has few rows, so scanning them is cheap.
            let fits = |position: &u32| {
                let position = *position as usize;
                has_pair(self.sources[position], pair)
                    && deprecated.is_none_or(|wanted| self.is_deprecated[position] == wanted)
            };
            return Resolved::Positions(of_vendor.iter().copied().filter(fits).collect());
        }
        let list = (pair != (None, None))
            .then(|| self.by_sources.get(&pair).map_or(&[][..], Vec::as_slice));
        match (deprecated, list) {
            (None, None) => Resolved::All,
            (None, Some(list)) => Resolved::Positions(Cow::Borrowed(list)),
            (Some(deprecated), list) => Resolved::Split {
                list,
                length: list.map_or(self.rows.len(), <[u32]>::len),
                ranks: self.deprecated_ranks.get(&pair).unwrap_or(&NO_RANKS),
                deprecated,
            },
        }
    }
}

/// The rows of a selection.
enum Resolved<'a> {
    All,
    Positions(Cow<'a, [u32]>),
    /// The deprecated rows of a list, or the others. Without a list: of all rows.
    Split {
        list: Option<&'a [u32]>,
        length: usize,
        ranks: &'a DeprecatedRanks,
        deprecated: bool,
    },
}

fn has_pair(sources: SourceSet, (include, exclude): SourcePair) -> bool {
    include.is_none_or(|source| sources.contains(source))
        && exclude.is_none_or(|source| !sources.contains(source))
}

/// A listing being written, row by row in slug order.
pub(crate) struct ListingBuilder {
    rows: RowsBuilder,
    sources: Vec<SourceSet>,
    is_deprecated: Vec<bool>,
    vendor_ids: HashMap<String, u32>,
    by_vendor: Vec<Vec<u32>>,
}

impl ListingBuilder {
    /// Preallocates space for this many rows and this many bytes in total.
    pub(crate) fn with_capacity(rows: usize, bytes: usize) -> Self {
        Self {
            rows: RowsBuilder::with_capacity(rows, bytes),
            sources: Vec::with_capacity(rows),
            is_deprecated: Vec::with_capacity(rows),
            vendor_ids: HashMap::new(),
            by_vendor: Vec::new(),
        }
    }

    /// Adds the row that `write` writes; returns its position and its bytes.
    pub(crate) fn push<E>(
        &mut self,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
        folded_vendor: Option<&str>,
        sources: SourceSet,
        is_deprecated: bool,
    ) -> Result<(u32, &[u8]), E> {
        let written = self.rows.push(write)?;
        // A catalog never has four billion apps, so every position fits.
        let position = u32::try_from(self.sources.len()).unwrap_or(u32::MAX);
        self.sources.push(sources);
        self.is_deprecated.push(is_deprecated);
        if let Some(vendor) = folded_vendor {
            let next_id = u32::try_from(self.by_vendor.len()).unwrap_or(u32::MAX);
            let id = *self.vendor_ids.entry_ref(vendor).or_insert(next_id);
            if id == next_id {
                self.by_vendor.push(Vec::new());
            }
            self.by_vendor[id as usize].push(position);
        }
        Ok((position, written))
    }

    pub(crate) fn finish(self) -> Listing {
        let choices = || std::iter::once(None).chain(Source::ALL.into_iter().map(Some));
        let pairs = choices().flat_map(|include| choices().map(move |exclude| (include, exclude)));
        let by_sources: HashMap<SourcePair, Vec<u32>> = pairs
            .filter(|(include, exclude)| include != exclude)
            .map(|pair| {
                let positions = (0_u32..).zip(&self.sources);
                let fitting = positions.filter(|(_, sources)| has_pair(**sources, pair));
                (pair, fitting.map(|(position, _)| position).collect())
            })
            .collect();
        let flag = |position: &u32| self.is_deprecated[*position as usize];
        let mut deprecated_ranks: HashMap<SourcePair, DeprecatedRanks> = by_sources
            .iter()
            .map(|(pair, list)| (*pair, DeprecatedRanks::of(list.iter().map(flag))))
            .collect();
        let all = DeprecatedRanks::of(self.is_deprecated.iter().copied());
        deprecated_ranks.insert((None, None), all);
        Listing {
            rows: self.rows.finish(),
            sources: self.sources.into(),
            vendor_ids: self.vendor_ids,
            by_vendor: self.by_vendor,
            by_sources,
            deprecated_ranks,
            is_deprecated: self.is_deprecated.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing() -> Listing {
        let label = SourceSet::default().with(Source::LabelTool);
        let both = label.with(Source::CaskCatalog);
        let mut builder = ListingBuilder::with_capacity(0, 0);
        for (number, vendor, sources, is_deprecated) in [
            (0, Some("acme"), label, false),
            (1, None, both, true),
            (2, Some("straße"), both, false),
            (3, Some("acme"), both, true),
        ] {
            let write = |buffer: &mut Vec<u8>| serde_json::to_writer(buffer, &number);
            builder.push(write, vendor, sources, is_deprecated).unwrap();
        }
        builder.finish()
    }

    fn rows(vendor: Option<&str>, source: Option<&str>, exclude: Option<&str>) -> String {
        let own = |text: Option<&str>| text.map(str::to_owned);
        shown(&Filter {
            vendor: own(vendor),
            source: own(source),
            exclude_source: own(exclude),
            deprecated: None,
        })
    }

    fn deprecated(wanted: bool, filter: Filter) -> String {
        shown(&Filter { deprecated: Some(wanted), ..filter })
    }

    fn shown(filter: &Filter) -> String {
        let listing = listing();
        let selection = listing.select(filter);
        let counted = listing.count(selection);
        let page = listing.page(selection, 0, counted);
        let shown = if page.is_empty() { 0 } else { page.split(|byte| *byte == b',').count() };
        assert_eq!(counted, shown, "count and page of {filter:?}");
        String::from_utf8(page.to_vec()).unwrap()
    }

    #[test]
    fn filters_alone_and_together() {
        assert_eq!(rows(None, None, None), "0,1,2,3");
        assert_eq!(rows(Some("ACME"), None, None), "0,3");
        assert_eq!(rows(Some("Acme Inc"), None, None), "");
        assert_eq!(rows(Some(""), None, None), "");
        assert_eq!(rows(None, Some("cask_catalog"), None), "1,2,3");
        assert_eq!(rows(None, Some("CASK_CATALOG"), None), "");
        assert_eq!(rows(None, Some(""), None), "");
        assert_eq!(rows(None, None, Some("cask_catalog")), "0");
        assert_eq!(rows(None, None, Some("unknown")), "0,1,2,3");
        assert_eq!(rows(None, Some("label_tool"), Some("cask_catalog")), "0");
        assert_eq!(rows(None, Some("label_tool"), Some("label_tool")), "");
        assert_eq!(rows(Some("acme"), Some("cask_catalog"), None), "3");
        assert_eq!(rows(Some("acme"), None, Some("cask_catalog")), "0");
    }

    #[test]
    fn deprecated_rows_and_the_others_alone_and_with_other_filters() {
        let everything = Filter::default;
        let of_source =
            |source: &str| Filter { source: Some(source.to_owned()), ..Filter::default() };
        let of_acme = || Filter { vendor: Some("Acme".to_owned()), ..Filter::default() };
        assert_eq!(deprecated(true, everything()), "1,3");
        assert_eq!(deprecated(false, everything()), "0,2");
        assert_eq!(deprecated(true, of_source("cask_catalog")), "1,3");
        assert_eq!(deprecated(false, of_source("cask_catalog")), "2");
        assert_eq!(deprecated(false, of_source("label_tool")), "0,2");
        assert_eq!(deprecated(true, of_source("recipe_index")), "");
        assert_eq!(deprecated(false, of_source("unknown")), "");
        assert_eq!(deprecated(true, of_acme()), "3");
        assert_eq!(deprecated(false, of_acme()), "0");
        let listing = listing();
        let others = listing.select(&Filter { deprecated: Some(false), ..Filter::default() });
        assert_eq!(listing.page(others, 1, 2), "2");
        assert_eq!(listing.page(others, 2, 2), "");
    }

    #[test]
    fn a_page_is_a_range_of_the_selection() {
        let listing = listing();
        assert_eq!(listing.page(Selection::EVERYTHING, 1, 3), "1,2");
        assert_eq!(listing.page(Selection::EVERYTHING, 4, 4), "");
        let acme = listing.select(&Filter { vendor: Some("acme".into()), ..Filter::default() });
        assert_eq!(listing.page(acme, 1, 2), "3");
        assert_eq!(listing.page(acme, 2, 2), "");
    }
}
