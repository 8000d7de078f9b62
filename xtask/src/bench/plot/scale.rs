//! An axis with freely chosen ticks.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};

/// The position of a value on an axis, the visible range, and the ticks.
pub(super) struct Scale {
    position: fn(f64) -> f64,
    range: Range<f64>,
    ticks: Vec<f64>,
}

impl Scale {
    /// Percentiles, with the same width for each further nine: 90, 99, 99.9, 99.99.
    pub(super) fn percentiles() -> Self {
        Self {
            position: |percentile| -(1.0 - percentile / 100.0).log10(),
            range: 50.0..99.99,
            ticks: vec![50.0, 75.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.99],
        }
    }

    /// A logarithmic scale that includes all values.
    pub(super) fn powers(values: &[f64]) -> Self {
        let lowest = values.iter().copied().fold(f64::INFINITY, f64::min).max(0.01);
        let highest = values.iter().copied().fold(lowest, f64::max);
        let range = lowest * 0.8..highest * 1.25;
        let decade = 10_f64.powf(range.start.log10().floor());
        let decades = std::iter::successors(Some(decade), |decade| Some(decade * 10.0));
        let ticks = decades
            .take_while(|decade| *decade <= range.end)
            .flat_map(|decade| [decade, decade * 2.0, decade * 5.0])
            .filter(|tick| range.contains(tick));
        Self { position: f64::log10, ticks: ticks.collect(), range }
    }

    /// The same with other ticks.
    pub(super) fn with_ticks(self, ticks: Vec<f64>) -> Self {
        Self { ticks, ..self }
    }
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    #[expect(clippy::cast_possible_truncation, reason = "a pixel of the plot")]
    fn map(&self, value: &f64, (first, last): (i32, i32)) -> i32 {
        let [start, end, at] = [self.range.start, self.range.end, *value].map(self.position);
        first + (f64::from(last - first) * (at - start) / (end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_nine_is_as_wide_as_the_last() {
        let scale = Scale::percentiles();
        let at = [90.0, 99.0, 99.9].map(|percentile| scale.map(&percentile, (0, 1_000)));
        assert!(((at[2] - at[1]) - (at[1] - at[0])).abs() <= 1, "{at:?}");
    }

    #[test]
    fn ticks_are_one_two_and_five() {
        assert_eq!(Scale::powers(&[3.0, 90.0]).ticks, [5.0, 10.0, 20.0, 50.0, 100.0]);
    }
}
