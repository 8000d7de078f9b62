//! The orders of the table of drift, made with it.

use super::DriftLine;

appstitch_types::words! {
    /// An order of the table of drift. Equal lines are ordered by name.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum DriftOrder {
        Name = "name",
        /// By the vendor; apps without one come last.
        Vendor = "vendor",
        /// By the source that lags; unknown ones come last.
        Laggard = "laggard",
        /// The widest gap first; unknown ones come last.
        #[default]
        Gap = "gap",
        /// What lags longest first; unknown ones come last.
        Since = "since",
    }
}

/// The numbers of the lines in each order of [`DriftOrder::ALL`].
#[derive(Debug, Default)]
pub(super) struct Orders([Box<[u32]>; DriftOrder::ALL.len()]);

impl Orders {
    pub(super) fn of(lines: &[DriftLine]) -> Self {
        let mut by_name: Vec<u32> = (0..u32::try_from(lines.len()).unwrap_or(u32::MAX)).collect();
        let line = |number: &u32| &lines[*number as usize];
        // Stable, so that equal names stay in slug order.
        by_name.sort_by(|left, right| line(left).folded_name.cmp(&line(right).folded_name));
        Self(DriftOrder::ALL.map(|order| {
            let mut numbers = by_name.clone();
            match order {
                DriftOrder::Name => {}
                DriftOrder::Vendor => numbers.sort_by_key(|number| {
                    let vendor = line(number).folded_vendor.as_deref();
                    (vendor.is_none(), vendor)
                }),
                DriftOrder::Laggard => numbers.sort_by_key(|number| {
                    let laggard = line(number).entry.laggard.as_deref();
                    (laggard.is_none(), laggard)
                }),
                DriftOrder::Gap => numbers.sort_by_key(|number| {
                    let gap = line(number).gap;
                    (gap.is_none(), gap)
                }),
                DriftOrder::Since => numbers.sort_by_key(|number| {
                    let since = line(number).since;
                    (since.is_none(), since)
                }),
            }
            numbers.into()
        }))
    }

    pub(super) fn of_kind(&self, order: DriftOrder) -> &[u32] {
        &self.0[order as usize]
    }
}
