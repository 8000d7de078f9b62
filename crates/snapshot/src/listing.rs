//! Rows that can be filtered and paged, with indexes so that filters do not scan all rows.

use std::borrow::Cow;

use appstitch_catalog::{Source, SourceSet, fold_case};
use bytes::Bytes;
use hashbrown::HashMap;

use crate::rows::{Rows, RowsBuilder};

/// The filters of a request.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only rows of this vendor, ignoring case.
    pub vendor: Option<String>,
    /// Only rows with this source.
    pub source: Option<String>,
    /// Only rows without this source.
    pub exclude_source: Option<String>,
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
    },
}

impl Selection {
    #[cfg(test)]
    pub(crate) const EVERYTHING: Self = Self::Rows { vendor: None, include: None, exclude: None };
}

/// Rows in slug order with their indexes.
#[derive(Default)]
pub struct Listing {
    rows: Rows,
    sources: Box<[SourceSet]>,
    vendor_ids: HashMap<String, u32>,
    by_vendor: Vec<Vec<u32>>,
    /// The rows that have the first source and lack the second, for every possible pair.
    by_sources: HashMap<(Option<Source>, Option<Source>), Vec<u32>>,
}

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
        (rows, starts + size_of_val(&*self.sources) + positions + names + tables)
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
        Selection::Rows { vendor, include, exclude }
    }

    /// The number of rows in a selection.
    pub fn count(&self, selection: Selection) -> usize {
        match self.positions(selection) {
            None => self.rows.len(),
            Some(positions) => positions.len(),
        }
    }

    /// The rows of a selection from one position within it up to, but excluding, another.
    pub fn page(&self, selection: Selection, from: usize, to: usize) -> Bytes {
        match self.positions(selection) {
            None => self.rows.slice(from, to),
            Some(positions) => self.rows.gather(positions.get(from..to).unwrap_or_default()),
        }
    }

    /// The positions of a selection's rows; `None` means all rows.
    fn positions(&self, selection: Selection) -> Option<Cow<'_, [u32]>> {
        let Selection::Rows { vendor, include, exclude } = selection else {
            return Some(Cow::Borrowed(&[]));
        };
        let pair = (include, exclude);
        let Some(vendor) = vendor else {
            return (pair != (None, None))
                .then(|| Cow::Borrowed(self.by_sources.get(&pair).map_or(&[][..], Vec::as_slice)));
        };
        let of_vendor = self.by_vendor[vendor as usize].as_slice();
        if pair == (None, None) {
            return Some(Cow::Borrowed(of_vendor));
        }
        // A vendor has few rows, so scanning them is cheap.
        let fits = |position: &u32| has_pair(self.sources[*position as usize], pair);
        Some(Cow::Owned(of_vendor.iter().copied().filter(fits).collect()))
    }
}

fn has_pair(sources: SourceSet, (include, exclude): (Option<Source>, Option<Source>)) -> bool {
    include.is_none_or(|source| sources.contains(source))
        && exclude.is_none_or(|source| !sources.contains(source))
}

/// A listing being written, row by row in slug order.
pub(crate) struct ListingBuilder {
    rows: RowsBuilder,
    sources: Vec<SourceSet>,
    vendor_ids: HashMap<String, u32>,
    by_vendor: Vec<Vec<u32>>,
}

impl ListingBuilder {
    /// Preallocates space for this many rows and this many bytes in total.
    pub(crate) fn with_capacity(rows: usize, bytes: usize) -> Self {
        Self {
            rows: RowsBuilder::with_capacity(rows, bytes),
            sources: Vec::with_capacity(rows),
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
    ) -> Result<(u32, &[u8]), E> {
        let written = self.rows.push(write)?;
        // A catalog never has four billion apps, so every position fits.
        let position = u32::try_from(self.sources.len()).unwrap_or(u32::MAX);
        self.sources.push(sources);
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
        let by_sources = pairs
            .filter(|(include, exclude)| include != exclude)
            .map(|pair| {
                let positions = (0_u32..).zip(&self.sources);
                let fitting = positions.filter(|(_, sources)| has_pair(**sources, pair));
                (pair, fitting.map(|(position, _)| position).collect())
            })
            .collect();
        Listing {
            rows: self.rows.finish(),
            sources: self.sources.into(),
            vendor_ids: self.vendor_ids,
            by_vendor: self.by_vendor,
            by_sources,
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
        for (number, vendor, sources) in [
            (0, Some("acme"), label),
            (1, None, both),
            (2, Some("straße"), both),
            (3, Some("acme"), both),
        ] {
            builder.push(|buffer| serde_json::to_writer(buffer, &number), vendor, sources).unwrap();
        }
        builder.finish()
    }

    fn rows(vendor: Option<&str>, source: Option<&str>, exclude: Option<&str>) -> String {
        let own = |text: Option<&str>| text.map(str::to_owned);
        let filter =
            Filter { vendor: own(vendor), source: own(source), exclude_source: own(exclude) };
        let listing = listing();
        let selection = listing.select(&filter);
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
    fn a_page_is_a_range_of_the_selection() {
        let listing = listing();
        assert_eq!(listing.page(Selection::EVERYTHING, 1, 3), "1,2");
        assert_eq!(listing.page(Selection::EVERYTHING, 4, 4), "");
        let acme = listing.select(&Filter { vendor: Some("acme".into()), ..Filter::default() });
        assert_eq!(listing.page(acme, 1, 2), "3");
        assert_eq!(listing.page(acme, 2, 2), "");
    }
}
