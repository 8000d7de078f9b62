//! The apps whose names are most like the words of a query that finds nothing.

use appstitch_types::search::SearchField;

use super::{
    index::RankedIndex,
    query::{Query, WORDS},
};

/// Fewer letters in common are chance.
const FEWEST: usize = 3;

impl RankedIndex {
    /// The nearest apps that the filter accepts, best first, at most `limit`. Letters that words of
    /// the query and of a name begin with in common count if they are half of the query's word, and
    /// whole words of the vendor. They count twice if they are all of both words, and twice in the
    /// first word, which is that of the product or its maker. It passes over the starts of all words
    /// once.
    pub(crate) fn nearest(
        &self,
        query: &Query,
        accepts: impl Fn(u32) -> bool,
        limit: usize,
    ) -> Vec<u32> {
        let Some(reading) = query.readings.first() else { return Vec::new() };
        let text = self.keys.text();
        let mut found: Vec<(usize, u32, u32)> = Vec::new();
        let mut likeness = Likeness::default();
        for place in self.keys.word_starts() {
            for (number, word) in reading.words.iter().enumerate() {
                let pairs = word.text.bytes().zip(&text[place..]);
                let common = pairs.take_while(|(left, right)| left == *right).count();
                if common < FEWEST || common * 2 < word.text.len() {
                    continue;
                }
                let end = place + common;
                let is_whole = common == word.text.len()
                    && (self.keys.is_key_end(end) || self.keys.is_start(end));
                let field = self.keys.field_at(place);
                if !(field.is_name() || (field == SearchField::Vendor && is_whole)) {
                    continue;
                }
                let app = self.keys.app_from(likeness.app, place);
                if app != likeness.app {
                    likeness.end_app(self, &mut found);
                    likeness = Likeness { app, ..Likeness::default() };
                }
                let weight = (1 + usize::from(is_whole)) * (1 + usize::from(number == 0));
                let of_word = &mut likeness.of_words[number];
                *of_word = (*of_word).max(common * weight);
            }
        }
        likeness.end_app(self, &mut found);
        found.retain(|(_, _, position)| accepts(*position));
        found.sort_unstable_by_key(|(likeness, standing, position)| {
            (std::cmp::Reverse(*likeness), *standing, *position)
        });
        found.truncate(limit);
        found.into_iter().map(|(_, _, position)| position).collect()
    }
}

/// How much each word of the query is like those of an app.
#[derive(Default)]
struct Likeness {
    app: usize,
    of_words: [usize; WORDS],
}

impl Likeness {
    fn end_app(&self, index: &RankedIndex, found: &mut Vec<(usize, u32, u32)>) {
        let likeness: usize = self.of_words.iter().sum();
        if let Some(standing) = index.standings.get(self.app).filter(|_| likeness > 0) {
            // A catalog never has four billion apps.
            let position = u32::try_from(self.app).unwrap_or(u32::MAX);
            found.push((likeness, standing.number(), position));
        }
    }
}
