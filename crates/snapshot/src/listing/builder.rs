//! Builds a listing, row by row.

use appstitch_types::{InstallMethod, Source, SourceSet};
use hashbrown::HashMap;

use super::{Listing, SourcePair, has_pair};
use crate::{
    bits::Bits, deprecated_ranks::DeprecatedRanks, rows::RowsBuilder,
    value_index::ValueIndexBuilder,
};

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RowValues<'a> {
    pub(crate) bundle_id: Option<&'a str>,
    pub(crate) team_id: Option<&'a str>,
    pub(crate) install_method: Option<InstallMethod>,
    pub(crate) has_version: bool,
}

/// A listing being written, row by row in slug order.
pub(crate) struct ListingBuilder {
    rows: RowsBuilder,
    sources: Vec<SourceSet>,
    is_deprecated: Vec<bool>,
    vendor_ids: HashMap<String, u32>,
    by_vendor: Vec<Vec<u32>>,
    bundle_ids: ValueIndexBuilder,
    team_ids: ValueIndexBuilder,
    by_method: [Bits; InstallMethod::ALL.len()],
    without_version: Bits,
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
            bundle_ids: ValueIndexBuilder::default(),
            team_ids: ValueIndexBuilder::default(),
            by_method: Default::default(),
            without_version: Bits::default(),
        }
    }

    /// Adds the row that `write` writes; returns its position and its bytes.
    pub(crate) fn push<E>(
        &mut self,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
        folded_vendor: Option<&str>,
        sources: SourceSet,
        is_deprecated: bool,
        values: RowValues<'_>,
    ) -> Result<(u32, &[u8]), E> {
        let written = self.rows.push(write)?;
        // A catalog never has four billion apps, so every position fits.
        let position = u32::try_from(self.sources.len()).unwrap_or(u32::MAX);
        self.sources.push(sources);
        self.is_deprecated.push(is_deprecated);
        self.bundle_ids.push(position, values.bundle_id);
        self.team_ids.push(position, values.team_id);
        if let Some(method) = values.install_method {
            self.by_method[method as usize].set(position as usize);
        }
        if !values.has_version {
            self.without_version.set(position as usize);
        }
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
        let mut with_source: [Bits; Source::ALL.len()] = Default::default();
        let mut deprecated = Bits::default();
        for (row, sources) in self.sources.iter().enumerate() {
            for source in Source::ALL.into_iter().filter(|source| sources.contains(*source)) {
                with_source[source as usize].set(row);
            }
            if self.is_deprecated[row] {
                deprecated.set(row);
            }
        }
        Listing {
            rows: self.rows.finish(),
            sources: self.sources.into(),
            vendor_ids: self.vendor_ids,
            by_vendor: self.by_vendor,
            by_sources,
            deprecated_ranks,
            is_deprecated: self.is_deprecated.into(),
            bundle_ids: self.bundle_ids.finish(),
            team_ids: self.team_ids.finish(),
            by_method: self.by_method,
            with_source,
            deprecated,
            without_version: self.without_version,
        }
    }
}
