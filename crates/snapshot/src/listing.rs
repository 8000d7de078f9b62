//! Rows that can be filtered and paged, with indexes so that filters do not scan all rows.

mod builder;
mod filter;

pub(crate) use builder::{ListingBuilder, RowValues};
pub use filter::{ExactFilter, ExactSelection, Filter, Selection};

use std::borrow::Cow;

use appstitch_text::fold_case;
use appstitch_types::{InstallMethod, Source, SourceSet};
use bytes::Bytes;
use hashbrown::HashMap;

use crate::{
    bits::Bits,
    deprecated_ranks::{DeprecatedRanks, NO_RANKS},
    rows::Rows,
    value_index::ValueIndex,
};

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
    bundle_ids: ValueIndex,
    team_ids: ValueIndex,
    /// The rows of each install method, in the order of [`InstallMethod::ALL`].
    by_method: [Bits; InstallMethod::ALL.len()],
    /// The rows of each source, in the order of [`Source::ALL`].
    with_source: [Bits; Source::ALL.len()],
    deprecated: Bits,
    without_version: Bits,
}

/// A source that rows have, and one that they lack.
type SourcePair = (Option<Source>, Option<Source>);

impl Listing {
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
        let sets = self
            .by_method
            .iter()
            .chain(&self.with_source)
            .chain([&self.deprecated, &self.without_version]);
        let sets = sets.map(Bits::size).sum::<usize>();
        let values = self.bundle_ids.size() + self.team_ids.size();
        (rows, starts + flags + positions + names + tables + ranks + sets + values)
    }

    /// Resolves a filter. An unknown value selects nothing; excluding an unknown source excludes
    /// nothing.
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
        let exact = match &filter.exact {
            None => None,
            Some(exact) => match self.select_exact(exact) {
                None => return Selection::Nothing,
                // Without a value, the selection is that of a request without exact filters.
                found => found.filter(|found| *found != ExactSelection::default()),
            },
        };
        Selection::Rows { vendor, include, exclude, deprecated: filter.deprecated, exact }
    }

    /// Resolves exact filters; `None` if a value is unknown.
    #[cold]
    fn select_exact(&self, filter: &ExactFilter) -> Option<ExactSelection> {
        let found = |index: &ValueIndex, value: Option<&String>| match value {
            None => Some(None),
            Some(value) => index.find(value).map(Some),
        };
        let method = match &filter.install_method {
            None => None,
            Some(word) => Some(InstallMethod::from_word(word)?),
        };
        let bundle_id = found(&self.bundle_ids, filter.bundle_id.as_ref())?;
        let team_id = found(&self.team_ids, filter.team_id.as_ref())?;
        Some(ExactSelection { bundle_id, team_id, method })
    }

    pub fn contains(&self, selection: Selection, position: u32) -> bool {
        let Selection::Rows { vendor, include, exclude, deprecated, exact } = selection else {
            return false;
        };
        let ExactSelection { bundle_id, team_id, method } = exact.unwrap_or_default();
        let row = position as usize;
        has_pair(self.sources[row], (include, exclude))
            && deprecated.is_none_or(|wanted| self.is_deprecated[row] == wanted)
            && method.is_none_or(|method| self.by_method[method as usize].has(row))
            // The rows of a value are in order.
            && vendor.is_none_or(|id| self.by_vendor[id as usize].binary_search(&position).is_ok())
            && bundle_id
                .is_none_or(|of| self.bundle_ids.rows(of).binary_search(&position).is_ok())
            && team_id.is_none_or(|of| self.team_ids.rows(of).binary_search(&position).is_ok())
    }

    pub fn count(&self, selection: Selection) -> usize {
        match self.resolve(selection) {
            Resolved::All => self.rows.len(),
            Resolved::Positions(positions) => positions.len(),
            Resolved::Split { length, ranks, deprecated, .. } => ranks.count(length, deprecated),
            Resolved::Set(rows) => rows.count(),
        }
    }

    /// The position of the first row of a vendor, whose name is folded.
    pub(crate) fn first_of_vendor(&self, folded: &str) -> Option<u32> {
        self.of_vendor(folded).first().copied()
    }

    /// The positions of a vendor's rows, in order. The name is folded.
    pub(crate) fn of_vendor(&self, folded: &str) -> &[u32] {
        let id = self.vendor_ids.get(folded);
        id.and_then(|id| self.by_vendor.get(*id as usize)).map_or(&[], Vec::as_slice)
    }

    /// Every vendor by its folded name, with the positions of its rows.
    pub(crate) fn vendors(&self) -> impl Iterator<Item = (&str, &[u32])> {
        self.vendor_ids.iter().map(|(folded, id)| {
            (folded.as_str(), self.by_vendor.get(*id as usize).map_or(&[][..], Vec::as_slice))
        })
    }

    /// The apps with a bundle identifier, ignoring case.
    pub(crate) fn of_bundle_id(&self, bundle_id: &str) -> &[u32] {
        self.bundle_ids.find(bundle_id).map_or(&[], |of| self.bundle_ids.rows(of))
    }

    pub(crate) fn sources(&self, position: u32) -> SourceSet {
        self.sources[position as usize]
    }

    pub(crate) fn is_deprecated(&self, position: u32) -> bool {
        self.deprecated.has(position as usize)
    }

    pub(crate) fn has_version(&self, position: u32) -> bool {
        !self.without_version.has(position as usize)
    }

    /// The positions of the rows without a version that are in a selection.
    pub(crate) fn without_version(&self, selection: Selection) -> Vec<u32> {
        let rows = self.without_version.numbers().filter_map(|row| u32::try_from(row).ok());
        rows.filter(|position| self.contains(selection, *position)).collect()
    }

    /// The rows of a selection from one position within it up to, but excluding, another.
    pub fn page(&self, selection: Selection, from: usize, to: usize) -> Bytes {
        match self.resolve(selection) {
            Resolved::All => self.rows.slice(from, to),
            resolved => self.rows.gather(&resolved.page(from, to)),
        }
    }

    /// The positions of the same rows.
    pub(crate) fn positions(&self, selection: Selection, from: usize, to: usize) -> Vec<u32> {
        self.resolve(selection).page(from, to).into_owned()
    }

    fn resolve(&self, selection: Selection) -> Resolved<'_> {
        let Selection::Rows { vendor, include, exclude, deprecated, exact } = selection else {
            return Resolved::Positions(Cow::Borrowed(&[]));
        };
        let pair = (include, exclude);
        if let Some(exact) = exact
            && let Some(resolved) = self.resolve_exact(selection, exact)
        {
            return resolved;
        }
        if let Some(vendor) = vendor {
            let of_vendor = self.by_vendor[vendor as usize].as_slice();
            if pair == (None, None) && deprecated.is_none() {
                return Resolved::Positions(Cow::Borrowed(of_vendor));
            }
            return self.fitting(of_vendor, selection);
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

    /// The rows of exact filters; `None` if there is none.
    #[cold]
    fn resolve_exact(&self, selection: Selection, exact: ExactSelection) -> Option<Resolved<'_>> {
        let Selection::Rows { vendor, include, exclude, deprecated, .. } = selection else {
            return None;
        };
        let ExactSelection { bundle_id, team_id, method } = exact;
        let of_id = bundle_id.map(|of| self.bundle_ids.rows(of));
        let narrow = of_id
            .or_else(|| team_id.map(|of| self.team_ids.rows(of)))
            .or_else(|| vendor.map(|vendor| self.by_vendor[vendor as usize].as_slice()));
        match (narrow, method) {
            (Some(rows), _) => Some(self.fitting(rows, selection)),
            (None, Some(method)) => {
                Some(Resolved::Set(self.with_method(method, (include, exclude), deprecated)))
            }
            (None, None) => None,
        }
    }

    /// The rows of a list that are in a selection. A vendor and an identifier have few rows, so
    /// scanning them is cheap.
    fn fitting(&self, rows: &[u32], selection: Selection) -> Resolved<'_> {
        let fits = |position: &u32| self.contains(selection, *position);
        Resolved::Positions(rows.iter().copied().filter(fits).collect())
    }

    /// The rows of an install method that have a pair of sources.
    fn with_method(
        &self,
        method: InstallMethod,
        (include, exclude): SourcePair,
        deprecated: Option<bool>,
    ) -> Bits {
        let mut rows = self.by_method[method as usize].clone();
        if let Some(source) = include {
            rows.keep(&self.with_source[source as usize]);
        }
        if let Some(source) = exclude {
            rows.remove(&self.with_source[source as usize]);
        }
        match deprecated {
            Some(true) => rows.keep(&self.deprecated),
            Some(false) => rows.remove(&self.deprecated),
            None => {}
        }
        rows
    }
}

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
    Set(Bits),
}

impl Resolved<'_> {
    /// The rows from one place up to another.
    fn page(&self, from: usize, to: usize) -> Cow<'_, [u32]> {
        let position = |row: usize| u32::try_from(row).ok();
        match self {
            Self::All => (from..to).filter_map(position).collect(),
            Self::Positions(positions) => {
                Cow::Borrowed(positions.get(from..to).unwrap_or_default())
            }
            Self::Split { list, length, ranks, deprecated } => {
                let ranks = ranks.page(*length, *deprecated, from, to);
                ranks.map(|rank| list.map_or(rank, |list| list[rank as usize])).collect()
            }
            Self::Set(rows) => {
                let page = rows.numbers_after(from).take(to.saturating_sub(from));
                page.filter_map(position).collect()
            }
        }
    }
}

fn has_pair(sources: SourceSet, (include, exclude): SourcePair) -> bool {
    include.is_none_or(|source| sources.contains(source))
        && exclude.is_none_or(|source| !sources.contains(source))
}

#[cfg(test)]
mod tests;
