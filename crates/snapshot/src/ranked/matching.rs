//! How well an app matches a query.

use std::{ops::Range, sync::LazyLock};

use appstitch_types::search::{MatchTier, SearchField};
use memchr::memmem::Finder;

use super::{
    keys::{AppKeys, FIELDS_END, Key, KeyBuffer},
    query::{Reading, Word, Wording},
    typo::{Misspelled, bit},
};

/// Shorter words match only where words start.
pub(crate) const SHORTEST_INSIDE: usize = 3;

/// Shorter words match only where words start after a blank or punctuation.
pub(crate) const SHORTEST_INNER: usize = 2;

/// A shorter beginning of a Team ID does not match.
const SHORTEST_TEAM_ID: usize = 4;

/// Larger differences of all words together count the same.
const LARGEST_DIFFERENCE: usize = 7;

static FOR: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("for"));

/// The closeness of a whole name that the query is a short form of.
pub(crate) const SHORT_FORM: u8 = 0;

/// The closeness of words that are a whole name.
pub(crate) const WHOLE: u8 = 1;

/// What a word of a query matches. The least one is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct WordMatch {
    pub(crate) tier: MatchTier,
    /// How much a misspelled word differs.
    pub(crate) difference: usize,
    pub(crate) field: SearchField,
    /// Where the match starts and ends in the app's keys.
    pub(crate) at: usize,
    pub(crate) end: usize,
}

/// How well an app matches. The least one is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Grade {
    pub(crate) tier: MatchTier,
    /// The order within the tier; below 16. Of words, [`SHORT_FORM`] or more.
    pub(crate) closeness: u8,
}

/// How an app matches. The least one is the best.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AppMatch {
    pub(crate) grade: Grade,
    /// What each word matches; one entry if the whole query matches.
    pub(crate) words: Vec<WordMatch>,
}

/// Whether typing errors are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    Exact,
    Lenient,
}

/// Matches an app; `None` if a word matches nowhere.
pub(crate) fn match_app(
    app: AppKeys<'_>,
    reading: &Reading,
    spelling: Spelling,
) -> Option<AppMatch> {
    let (mut together, mut apart) = (Vec::new(), Vec::new());
    let of_joined = grade_joined(app, reading, spelling, &mut together);
    let of_words = grade_words(app, reading, spelling, of_joined, &mut apart);
    let together = of_joined.map(|grade| AppMatch { grade, words: together });
    let apart = of_words.map(|grade| AppMatch { grade, words: apart });
    // `vs code` is also `vscode`.
    apart.into_iter().chain(together).min()
}

/// How well an app matches; `None` if a word matches nowhere. `words` is only room to work in.
pub(crate) fn grade_app(
    app: AppKeys<'_>,
    reading: &Reading,
    spelling: Spelling,
    words: &mut Vec<WordMatch>,
) -> Option<Grade> {
    let of_joined = grade_joined(app, reading, spelling, words);
    let of_words = grade_words(app, reading, spelling, of_joined, words);
    of_words.into_iter().chain(of_joined).min()
}

/// How well all words match as one.
fn grade_joined(
    app: AppKeys<'_>,
    reading: &Reading,
    spelling: Spelling,
    words: &mut Vec<WordMatch>,
) -> Option<Grade> {
    let found = best(app, &reading.joined, spelling)?;
    words.clear();
    words.push(found);
    if found.tier == MatchTier::Exact {
        let closeness = match found.field {
            // These belong to one app alone.
            SearchField::Slug | SearchField::Token | SearchField::LabelName => 0,
            // Another app can have the name today.
            SearchField::FormerToken => 2,
            _ => 1,
        };
        return Some(match reading.wording {
            Wording::AsTyped => Grade { tier: MatchTier::Exact, closeness },
            // Behind the names that end in these words.
            Wording::Shorter => Grade { tier: MatchTier::Exact, closeness: closeness + 3 },
            Wording::WrittenOut => {
                words[0].tier = MatchTier::Words;
                Grade { tier: MatchTier::Words, closeness: SHORT_FORM }
            }
        });
    }
    Some(combined(app, reading, words))
}

/// How well the words match by themselves, if that can be better than as one.
fn grade_words(
    app: AppKeys<'_>,
    reading: &Reading,
    spelling: Spelling,
    of_joined: Option<Grade>,
    words: &mut Vec<WordMatch>,
) -> Option<Grade> {
    let is_exact = of_joined.is_some_and(|grade| grade.tier == MatchTier::Exact);
    // A repeated word is one word, but not the joined one.
    let is_joined = reading.words.len() == 1 && reading.words[0].text == reading.joined.text;
    if is_exact || is_joined {
        return None;
    }
    // Most apps lack the rarest word.
    let rarest = best(app, &reading.words[reading.rarest], spelling)?;
    words.clear();
    for (number, word) in reading.words.iter().enumerate() {
        let is_rarest = number == reading.rarest;
        words.push(if is_rarest { rarest } else { best(app, word, spelling)? });
    }
    Some(combined(app, reading, words))
}

fn combined(app: AppKeys<'_>, reading: &Reading, words: &mut [WordMatch]) -> Grade {
    for word in &mut *words {
        // One word of several can be a whole name.
        word.tier = word.tier.max(MatchTier::Words);
    }
    let tier = words.iter().map(|word| word.tier).max().unwrap_or(MatchTier::Typo);
    let difference: usize = words.iter().map(|word| word.difference).sum();
    let difference = u8::try_from(difference.min(LARGEST_DIFFERENCE)).unwrap_or_default();
    let is_whole = matches!(tier, MatchTier::Words | MatchTier::Typo)
        && words.iter().any(|word| word.field.is_name())
        && app.keys().any(|key| key.field.is_name() && is_covered(app, key, reading, words));
    let is_vendor = app
        .vendor()
        .is_some_and(|name| app.text[name.start..name.end] == *reading.joined.text.as_bytes());
    let distance = |word: &WordMatch| match word.field {
        field if field.is_name() && is_behind_for(app, word.at) => 3,
        // Other names mention apps of others, too.
        field if field.is_lesser_name() && !is_vendor => 2,
        field if field.is_name() => 1,
        _ => 3,
    };
    let farthest = || words.iter().map(distance).max().unwrap_or_default();
    // `Sample for Zoom` is no Zoom, whatever its other names are.
    let is_mentioned =
        || words.iter().any(|word| word.field == SearchField::Name && is_behind_for(app, word.at));
    let distance = if is_whole && !is_mentioned() { 0 } else { farthest() };
    let closeness = match tier {
        MatchTier::Typo => difference * 2 + distance.min(1),
        MatchTier::Words => WHOLE + distance,
        _ => distance,
    };
    Grade { tier, closeness }
}

/// Whether a place in a name is behind the word `for`, where apps of others are mentioned: `Sample for
/// Zoom`.
fn is_behind_for(app: AppKeys<'_>, at: usize) -> bool {
    let start = app.text[..at].iter().rposition(|byte| *byte < FIELDS_END).map_or(0, |end| end + 1);
    let is_for = |from: &usize| app.is_full_start(*from) && app.is_full_start(*from + 3);
    let mut found = FOR.find_iter(&app.text[start..at]).map(|from| start + from);
    found.any(|from| from > start && is_for(&from))
}

/// Whether a name has no words but those that match, those of the vendor and the number of a version
/// at its end, and at least one that matches.
fn is_covered(app: AppKeys<'_>, name: Key, reading: &Reading, matched: &[WordMatch]) -> bool {
    let text = |word: &Range<usize>| &app.text[word.clone()];
    let is_asked = |word: &Range<usize>| {
        matched.iter().any(|found| found.at <= word.start && word.end <= found.end)
            || reading.words.iter().any(|asked| asked.text.as_bytes() == text(word))
    };
    let of_vendor = |word: &Range<usize>| {
        app.vendor().is_some_and(|vendor| app.words(vendor).any(|part| text(&part) == text(word)))
    };
    let mut has_asked = false;
    for word in app.words(name) {
        let is_version = || word.end == name.end && text(&word).iter().all(u8::is_ascii_digit);
        if is_asked(&word) {
            has_asked = true;
        } else if !of_vendor(&word) && !is_version() {
            return false;
        }
    }
    has_asked
}

pub(crate) fn best(app: AppKeys<'_>, word: &Word, spelling: Spelling) -> Option<WordMatch> {
    let found = if word.characters < SHORTEST_INNER {
        // A letter is nearly everywhere, but few words start with it.
        let starts =
            app.full_starts().filter(|at| app.text[*at..].starts_with(word.text.as_bytes()));
        starts.filter_map(|at| occurrence(app, at, word)).min()
    } else {
        word.finder.find_iter(app.text).filter_map(|at| occurrence(app, at, word)).min()
    };
    match spelling {
        Spelling::Lenient => found.or_else(|| misspelled(app, word)),
        Spelling::Exact => found,
    }
}

fn occurrence(app: AppKeys<'_>, at: usize, word: &Word) -> Option<WordMatch> {
    let is_full = app.is_full_start(at);
    let shortest = if is_full {
        0
    } else if app.is_start(at) {
        SHORTEST_INNER
    } else {
        SHORTEST_INSIDE
    };
    if word.characters < shortest {
        return None;
    }
    let end = at + word.text.len();
    let field = app.field_at(end);
    let is_digit = |at: usize| app.text[at].is_ascii_digit();
    let [starts_with_digit, ends_with_digit] = word.edges;
    let cuts_number =
        (starts_with_digit && at > 0 && is_digit(at - 1)) || (ends_with_digit && is_digit(end));
    // `12` is not in `2012`, but a Team ID is no number.
    if cuts_number && field != SearchField::TeamId {
        return None;
    }
    let starts_key = app.is_key_start(at);
    let ends_key = app.is_key_end(end);
    let tier = if starts_key && ends_key && field != SearchField::Vendor {
        MatchTier::Exact
    } else if field == SearchField::TeamId {
        (starts_key && word.characters >= SHORTEST_TEAM_ID).then_some(MatchTier::Beginning)?
    } else if is_full && (ends_key || app.is_full_start(end)) {
        // The middle of an identifier names the maker, and a vendor can be called like an app.
        let is_part = match field {
            SearchField::BundleId => !ends_key,
            SearchField::Vendor => !starts_key || !ends_key,
            _ => false,
        };
        if is_part { MatchTier::Beginning } else { MatchTier::Words }
    } else if app.is_start(at) {
        MatchTier::Beginning
    } else {
        // Letters of two words that meet are no match: `rstudio` is not in `Beekeeper Studio`.
        let is_within = !(at + 1..end).any(|at| app.is_full_start(at));
        is_within.then_some(MatchTier::Inside)?
    };
    Some(WordMatch { tier, difference: 0, field, at, end })
}

/// The best match of a misspelled word with one or more consecutive words of a name or the vendor.
fn misspelled(app: AppKeys<'_>, word: &Word) -> Option<WordMatch> {
    let misspelled = word.misspelled.as_ref()?;
    let (buffer, start) = app.place();
    let starts = (0..app.text.len()).filter(|at| misspelled.can_start_with(app.text[*at]));
    let matched = starts.filter(|at| app.is_start(*at)).filter_map(|at| {
        let (difference, length) = difference_at(buffer, start + at, misspelled)?;
        let (field, end) = (app.field_at(at), at + length);
        Some(WordMatch { tier: MatchTier::Typo, difference, field, at, end })
    });
    matched.min()
}

/// How much a misspelled word differs from the words of a name or the vendor that
/// start here, and the length of these words.
pub(crate) fn difference_at(
    buffer: &KeyBuffer,
    start: usize,
    misspelled: &Misspelled,
) -> Option<(usize, usize)> {
    let lengths = misspelled.lengths();
    let text = buffer.text();
    let mut best: Option<(usize, usize)> = None;
    let (mut mask, mut foreign) = (0, 0);
    for end in start + 1..=start + lengths.end() {
        let bit = bit(text[end - 1]);
        // Each error adds at most one letter that the word does not have.
        foreign += usize::from(!misspelled.has(bit));
        if foreign > misspelled.errors() {
            break;
        }
        mask |= bit;
        let ends_key = buffer.is_key_end(end);
        if end - start >= *lengths.start() && (ends_key || buffer.is_start(end)) {
            let found = misspelled.difference(&text[start..end], mask);
            best = best.into_iter().chain(found.map(|found| (found, end - start))).min();
        }
        if ends_key {
            break;
        }
    }
    best.filter(|_| {
        let field = buffer.field_at(start);
        field.is_name() || field == SearchField::Vendor
    })
}

#[cfg(test)]
mod tests {
    use appstitch_types::App;
    use serde_json::json;

    use super::super::{RankedIndexBuilder, query::Query};
    use crate::entry::Notes;

    #[test]
    fn a_repeated_word_finds_what_the_word_finds() {
        let mut builder = RankedIndexBuilder::new();
        for (slug, name) in [("photozoom", "PhotoZoom"), ("zoom", "Zoom"), ("other", "Other")] {
            let app: App =
                serde_json::from_value(json!({"slug": slug, "name": name, "sources": []})).unwrap();
            builder.push(&app, &Notes::default());
        }
        let index = builder.finish();
        let found = |query: &str| index.search(&Query::read(query), None, |_| true, 9, 0);
        assert_eq!(found("zoom"), (vec![1, 0], 2));
        for query in ["zoom zoom", "Zoom-ZOOM zoom"] {
            assert_eq!(found(query), found("zoom"), "{query}");
        }
    }
}
