//! Splits a list of rows into deprecated ones and others, without a second copy of the list.

/// The ranks of the deprecated rows within a list, ascending.
pub(crate) struct DeprecatedRanks(Vec<u32>);

/// Those of a list without deprecated rows.
pub(crate) static NO_RANKS: DeprecatedRanks = DeprecatedRanks(Vec::new());

impl DeprecatedRanks {
    pub(crate) fn of(is_deprecated: impl Iterator<Item = bool>) -> Self {
        let ranks = (0..).zip(is_deprecated).filter(|(_, is_deprecated)| *is_deprecated);
        let mut ranks: Vec<u32> = ranks.map(|(rank, _)| rank).collect();
        ranks.shrink_to_fit();
        Self(ranks)
    }

    pub(crate) fn size(&self) -> usize {
        self.0.capacity() * size_of::<u32>()
    }

    /// The number of deprecated rows, or of the others, in a list of this length.
    pub(crate) fn count(&self, length: usize, deprecated: bool) -> usize {
        if deprecated { self.0.len() } else { length - self.0.len() }
    }

    /// The ranks of the deprecated rows, or of the others, from one number up to another. The cost
    /// depends on the page, not on its place in the list.
    pub(crate) fn page(
        &self,
        length: usize,
        deprecated: bool,
        from: usize,
        to: usize,
    ) -> impl Iterator<Item = u32> {
        let (mut next, end) = (from, to.min(self.count(length, deprecated)));
        // The others before a deprecated row: its rank less the number of deprecated ones before.
        let mut before = if deprecated { 0 } else { self.before(from) };
        std::iter::from_fn(move || {
            if next >= end {
                return None;
            }
            next += 1;
            if deprecated {
                return Some(self.0[next - 1]);
            }
            while self.0.get(before).is_some_and(|rank| *rank as usize == next - 1 + before) {
                before += 1;
            }
            u32::try_from(next - 1 + before).ok()
        })
    }

    /// The number of deprecated rows before the other row with this number.
    fn before(&self, other: usize) -> usize {
        let (mut low, mut high) = (0, self.0.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.0[middle] as usize - middle <= other { low = middle + 1 } else { high = middle }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_what_counting_finds() {
        let flags = [true, false, true, true, false, false, true, false, true];
        let ranks = DeprecatedRanks::of(flags.into_iter());
        for deprecated in [true, false] {
            let counted: Vec<u32> =
                (0..).zip(flags).filter(|(_, flag)| *flag == deprecated).map(|(n, _)| n).collect();
            assert_eq!(ranks.count(flags.len(), deprecated), counted.len());
            for from in 0..=counted.len() {
                for to in from..=counted.len() + 1 {
                    let page: Vec<u32> = ranks.page(flags.len(), deprecated, from, to).collect();
                    let expected = &counted[from..to.min(counted.len())];
                    assert_eq!(page, expected, "{deprecated} {from}..{to}");
                }
            }
        }
    }
}
