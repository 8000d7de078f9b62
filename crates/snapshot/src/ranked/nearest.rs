//! The apps whose names begin most like the words of a query that finds nothing.

use super::{index::RankedIndex, query::Query};

/// Fewer letters in common are chance.
const FEWEST: usize = 3;

impl RankedIndex {
    /// The nearest apps that the filter accepts, best first, at most `limit`. It passes over the
    /// starts of all words once.
    pub(crate) fn nearest(
        &self,
        query: &Query,
        accepts: impl Fn(u32) -> bool,
        limit: usize,
    ) -> Vec<u32> {
        let Some(reading) = query.readings.first() else { return Vec::new() };
        let text = self.keys.text();
        let mut found: Vec<(usize, u32, u32)> = Vec::new();
        for place in self.keys.word_starts() {
            let common = |word: &str| {
                let pairs = word.bytes().zip(&text[place..]);
                pairs.take_while(|(left, right)| left == *right).count()
            };
            let likeness = reading.words.iter().map(|word| common(&word.text)).max();
            let likeness = likeness.unwrap_or_default();
            if likeness < FEWEST || !self.keys.field_at(place).is_name() {
                continue;
            }
            // A catalog never has four billion apps.
            let number = self.keys.app_at(place);
            let position = u32::try_from(number).unwrap_or(u32::MAX);
            match found.last_mut() {
                Some(last) if last.2 == position => last.0 = last.0.max(likeness),
                _ => found.push((likeness, self.standings[number].number(), position)),
            }
        }
        found.retain(|(_, _, position)| accepts(*position));
        found.sort_unstable_by_key(|(likeness, standing, position)| {
            (std::cmp::Reverse(*likeness), *standing, *position)
        });
        found.truncate(limit);
        found.into_iter().map(|(_, _, position)| position).collect()
    }
}
