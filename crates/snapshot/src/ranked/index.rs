//! The index of the ranked search.

use std::collections::HashMap;

use appstitch_types::search::{MatchTier, SearchField};

use super::{
    keys::KeyBuffer,
    matching::{
        AppMatch, Grade, SHORT_FORM, SHORTEST_INNER, SHORTEST_INSIDE, Spelling, WHOLE, WordMatch,
        difference_at, grade_app, match_app,
    },
    query::{Query, Reading, Word},
    standing::{MOST_MANAGED, Standing},
    values::Values,
};

/// The names of all apps, and what decides between apps that match equally well.
#[derive(Default)]
pub(crate) struct RankedIndex {
    pub(crate) keys: KeyBuffer,
    pub(super) standings: Vec<Standing>,
    /// The successors of the apps that have one; few.
    pub(super) successors: HashMap<u32, u32>,
    pub(crate) values: Values,
}

/// The place of an app in the results: its match, its standing and its position in slug order.
type Rank = u64;

/// The lowest rank of a match inside a word.
const INSIDE: Rank = 32 << FOUND;

/// Where the part of a rank begins that says how an app was found.
const FOUND: u32 = 53;

/// Set if words match another name than the one that the app is shown with.
const OTHER_NAME: Rank = 1 << 52;

/// How far the beginning of a name is behind a whole word of it.
const BEGINNING: u8 = 3;

/// A beginning is not lifted further by how much the app is managed: only before words of apps that
/// hardly anybody manages.
const MOST_OF_BEGINNING: u8 = 3;

/// How an app was found.
#[derive(Clone, Copy)]
struct Found {
    grade: Grade,
    /// Whether it counts how much the app is managed.
    is_lifted: bool,
    /// Whether all words are in the name that the app is shown with.
    is_by_name: bool,
}

fn rank(found: Found, standing: Standing, position: u32) -> Rank {
    let Found { grade: Grade { tier, closeness }, is_lifted, is_by_name } = found;
    let managed = if is_lifted { standing.managed() } else { 0 };
    let found = match tier {
        MatchTier::Exact => closeness,
        MatchTier::Words if closeness == SHORT_FORM => 15,
        MatchTier::Words => 16 + closeness + MOST_MANAGED - managed,
        MatchTier::Beginning => {
            16 + closeness + BEGINNING + MOST_MANAGED - managed.min(MOST_OF_BEGINNING)
        }
        MatchTier::Inside => 32 + closeness,
        MatchTier::Typo => 48 + closeness,
    };
    let is_part = matches!(tier, MatchTier::Words | MatchTier::Beginning);
    let other_name = if is_part && !is_by_name { OTHER_NAME } else { 0 };
    let found = u64::from(found) << FOUND | other_name;
    found | u64::from(standing.number()) << 32 | u64::from(position)
}

impl RankedIndex {
    pub(crate) fn size(&self) -> usize {
        self.keys.size() + self.standings.capacity() * size_of::<Standing>() + self.values.size()
    }

    /// Every app that matches and that the filter accepts, best first from `offset`, at most
    /// `limit` of them, and the number of all. `named` is the app that has the query as identifier,
    /// letter by letter; it comes first.
    pub(crate) fn search(
        &self,
        query: &Query,
        named: Option<u32>,
        accepts: impl Fn(u32) -> bool,
        limit: usize,
        offset: usize,
    ) -> (Vec<u32>, usize) {
        let mut ranks = Vec::new();
        for reading in &query.readings {
            self.scan(reading, &accepts, &mut ranks);
        }
        let may_be_misspelled = query.readings.iter().any(Reading::may_be_misspelled);
        if may_be_misspelled && ranks.iter().all(|rank| *rank >= INSIDE) {
            ranks.clear();
            for reading in query.readings.iter().filter(|reading| reading.may_be_misspelled()) {
                self.scan_misspelled(reading, &accepts, &mut ranks);
            }
        }
        if query.readings.len() > 1 {
            // The best rank of each app.
            ranks.sort_unstable_by_key(|rank| (position(*rank), *rank));
            ranks.dedup_by_key(|rank| position(*rank));
        }
        let named = named.map(|named| *self.successors.get(&named).unwrap_or(&named));
        if let Some(rank) = ranks.iter_mut().find(|rank| Some(position(**rank)) == named) {
            *rank = u64::from(position(*rank));
        }
        let total = ranks.len();
        let (from, to) = (offset.min(total), offset.saturating_add(limit).min(total));
        if to < total && to > 0 {
            ranks.select_nth_unstable(to - 1);
        }
        ranks.truncate(to);
        ranks.sort_unstable();
        (ranks[from..].iter().map(|rank| position(*rank)).collect(), total)
    }

    /// How the app at a position matches, by the best reading.
    pub(crate) fn explain(&self, query: &Query, position: u32) -> Option<AppMatch> {
        let app = self.keys.app(position as usize);
        let by = |spelling: Spelling| {
            query.readings.iter().filter_map(|reading| match_app(app, reading, spelling)).min()
        };
        by(Spelling::Exact).or_else(|| by(Spelling::Lenient))
    }

    /// Ranks every app that contains all words.
    fn scan(&self, reading: &Reading, accepts: &impl Fn(u32) -> bool, ranks: &mut Vec<Rank>) {
        let text = self.keys.text();
        // Whatever matches without typing errors contains every word.
        let word = &reading.words[reading.rarest];
        let (mut room, mut number) = (Vec::new(), 0);
        let mut consider = |place: usize| {
            number = self.keys.app_from(number, place);
            self.consider(number, reading, Spelling::Exact, accepts, &mut room, ranks);
            self.keys.app(number).end()
        };
        let mut from = 0;
        if word.characters >= SHORTEST_INSIDE {
            while let Some(hit) = word.finder.find(&text[from..]) {
                from = consider(from + hit);
            }
            return;
        }
        // Short words match only where words start, and most apps have them elsewhere.
        let mut consider_start = |place: usize| {
            if place >= from && text[place..].starts_with(word.text.as_bytes()) {
                from = consider(place);
            }
        };
        if word.characters < SHORTEST_INNER && reading.words.len() == 1 {
            self.keys.full_starts().for_each(consider_start);
        } else {
            // Joined with others, it may match where another word starts.
            self.keys.word_starts().for_each(&mut consider_start);
        }
    }

    /// Ranks every app that matches, with typing errors as well.
    fn scan_misspelled(
        &self,
        reading: &Reading,
        accepts: &impl Fn(u32) -> bool,
        ranks: &mut Vec<Rank>,
    ) {
        // Whatever matches has every word, or something similar.
        let apps = self.similar(&reading.words[reading.rarest]);
        let mut room = Vec::new();
        for number in apps {
            self.consider(number, reading, Spelling::Lenient, accepts, &mut room, ranks);
        }
    }

    /// The apps that have a word or something similar to it, in order.
    fn similar(&self, word: &Word) -> Vec<usize> {
        let text = self.keys.text();
        let mut apps = Vec::new();
        let (mut from, mut number) = (0, 0);
        while let Some(hit) = word.finder.find(&text[from..]) {
            number = self.keys.app_from(number, from + hit);
            apps.push(number);
            from = self.keys.app(number).end();
        }
        let Some(misspelled) = &word.misspelled else { return apps };
        for place in self.keys.word_starts() {
            if misspelled.can_start_with(text[place])
                && difference_at(&self.keys, place, misspelled).is_some()
            {
                apps.push(self.keys.app_at(place));
            }
        }
        apps.sort_unstable();
        apps.dedup();
        apps
    }

    fn consider(
        &self,
        number: usize,
        reading: &Reading,
        spelling: Spelling,
        accepts: &impl Fn(u32) -> bool,
        room: &mut Vec<WordMatch>,
        ranks: &mut Vec<Rank>,
    ) {
        // A catalog never has four billion apps.
        let position = u32::try_from(number).unwrap_or(u32::MAX);
        let (app, standing) = (self.keys.app(number), self.standings[number]);
        if let Some(mut grade) = grade_app(app, reading, spelling, room)
            && accepts(position)
        {
            // The file of a beta is often called like the app.
            let is_lesser = room.first().is_some_and(|found| found.field.is_lesser_name());
            if grade.tier == MatchTier::Exact && is_lesser && !standing.is_main() {
                grade = Grade { tier: MatchTier::Words, closeness: WHOLE + 1 };
            }
            // The vendor and other names say too little about which app is meant.
            let is_lifted = match (grade.tier, &room[..]) {
                (MatchTier::Words, _) => grade.closeness <= WHOLE + 1,
                (MatchTier::Beginning, [found]) => {
                    found.field.is_name() && app.is_key_start(found.at)
                }
                _ => false,
            };
            let is_by_name = room.iter().all(|found| found.field == SearchField::Name);
            ranks.push(rank(Found { grade, is_lifted, is_by_name }, standing, position));
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half is the position")]
fn position(rank: Rank) -> u32 {
    rank as u32
}
