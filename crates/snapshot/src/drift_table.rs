//! Drift as a table: who lags behind whom, how far and since when, in several orders.

mod gap;
mod line;
mod order;
mod since;

pub use gap::VersionGap;
pub use line::DriftLine;
pub use order::DriftOrder;
pub(crate) use since::LaggingSince;

use appstitch_text::fold_case;
use order::Orders;

#[derive(Debug, Default)]
pub struct DriftTable {
    /// In slug order, as in the listing of drift.
    lines: Box<[DriftLine]>,
    orders: Orders,
    pairs: Vec<Lagging>,
    unordered: usize,
    compared: u64,
}

/// How many apps there are in which one source lags behind another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lagging {
    pub laggard: String,
    pub leader: String,
    pub apps: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DriftSelection {
    /// Of this vendor, ignoring case.
    pub vendor: Option<String>,
    /// In which this source has the lowest version.
    pub laggard: Option<String>,
    /// Whether the order of the versions is unknown.
    pub unordered: bool,
    /// In which this source has the highest version.
    pub leader: Option<String>,
    /// In which this source states a version.
    pub source: Option<String>,
    /// Whose slug, name or vendor contains this, ignoring case.
    pub text: Option<String>,
    pub order: DriftOrder,
    pub reversed: bool,
}

impl DriftTable {
    pub(crate) fn new(lines: Vec<DriftLine>, compared: u64) -> Self {
        let mut pairs: Vec<Lagging> = Vec::new();
        let mut unordered = 0;
        for line in &lines {
            let (Some(laggard), Some(leader)) = (&line.entry.laggard, &line.entry.leader) else {
                unordered += 1;
                continue;
            };
            let is_same = |pair: &&mut Lagging| pair.laggard == *laggard && pair.leader == *leader;
            if let Some(pair) = pairs.iter_mut().find(is_same) {
                pair.apps += 1;
            } else {
                // There are few sources, so there are few pairs.
                pairs.push(Lagging { laggard: laggard.clone(), leader: leader.clone(), apps: 1 });
            }
        }
        pairs.sort_by(|left, right| {
            let names = |pair: &Lagging| (pair.laggard.clone(), pair.leader.clone());
            right.apps.cmp(&left.apps).then_with(|| names(left).cmp(&names(right)))
        });
        Self { orders: Orders::of(&lines), lines: lines.into(), pairs, unordered, compared }
    }

    pub fn lines(&self) -> &[DriftLine] {
        &self.lines
    }

    /// Who lags behind whom; the most frequent first.
    pub fn pairs(&self) -> &[Lagging] {
        &self.pairs
    }

    /// The number of apps whose versions differ without a known order.
    pub fn unordered(&self) -> usize {
        self.unordered
    }

    pub fn compared(&self) -> u64 {
        self.compared
    }

    pub fn select(&self, selection: &DriftSelection) -> Vec<&DriftLine> {
        let vendor = selection.vendor.as_deref().map(fold_case);
        let text = selection.text.as_deref().map(fold_case);
        let fits = |line: &&DriftLine| {
            let entry = &line.entry;
            vendor.as_ref().is_none_or(|vendor| line.folded_vendor.as_ref() == Some(vendor))
                && is_or_any(selection.laggard.as_ref(), entry.laggard.as_ref())
                && (!selection.unordered || entry.laggard.is_none())
                && is_or_any(selection.leader.as_ref(), entry.leader.as_ref())
                && selection.source.as_ref().is_none_or(|source| {
                    entry.versions.iter().any(|stated| stated.source == *source)
                })
                && text.as_ref().is_none_or(|text| line.searched.contains(text.as_str()))
        };
        let order = self.orders.of_kind(selection.order);
        let line = |number: &u32| &self.lines[*number as usize];
        if selection.reversed {
            order.iter().rev().map(line).filter(fits).collect()
        } else {
            order.iter().map(line).filter(fits).collect()
        }
    }
}

fn is_or_any(wanted: Option<&String>, value: Option<&String>) -> bool {
    wanted.is_none() || wanted == value
}

#[cfg(test)]
mod tests;
