//! The apps that are offered for a query that finds nothing: what its first words find, then those
//! whose names are most like its words.

use appstitch_types::search::{MatchTier, SearchField};

use super::{
    index::RankedIndex,
    query::{Query, WORDS},
};

/// Fewer letters in common are chance.
const FEWEST: usize = 3;

impl RankedIndex {
    /// The nearest apps that the filter accepts, best first, at most `limit`.
    pub(crate) fn nearest(
        &self,
        text: &str,
        accepts: impl Fn(u32) -> bool,
        limit: usize,
    ) -> Vec<u32> {
        let mut found = self.found_by_first_words(text, &accepts, limit);
        if found.len() < limit {
            let alike = self.alike(&Query::read(text), &accepts, limit);
            let more: Vec<u32> = alike.into_iter().filter(|app| !found.contains(app)).collect();
            found.extend(more);
            found.truncate(limit);
        }
        found
    }

    /// What most of the first words of a query find: the first one is that of the product or its maker.
    fn found_by_first_words(
        &self,
        text: &str,
        accepts: &impl Fn(u32) -> bool,
        limit: usize,
    ) -> Vec<u32> {
        let mut found = Query::beginnings(text).map(|query| {
            let (mut found, _) = self.search(&query, None, accepts, limit, 0);
            found.retain(|position| {
                let tier = self.explain(&query, *position).map(|found| found.grade.tier);
                tier.is_some_and(|tier| tier != MatchTier::Inside)
            });
            found
        });
        found.find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The apps with names like the words of a query. Letters that both words begin with count if they
    /// are more than half of the query's word, and whole words of the vendor. They count twice if they
    /// are all of both words, and twice in the first word. It passes over the starts of all words once.
    fn alike(&self, query: &Query, accepts: &impl Fn(u32) -> bool, limit: usize) -> Vec<u32> {
        let Some(reading) = query.readings.first() else { return Vec::new() };
        let text = self.keys.text();
        let mut found: Vec<(usize, u32, u32)> = Vec::new();
        let mut likeness = Likeness::default();
        for place in self.keys.full_starts() {
            for (number, word) in reading.words.iter().enumerate() {
                let pairs = word.text.bytes().zip(&text[place..]);
                let common = pairs.take_while(|(left, right)| left == *right).count();
                if common < FEWEST || common * 2 <= word.text.len() {
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
