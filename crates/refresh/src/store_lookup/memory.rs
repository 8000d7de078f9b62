//! When each bundle identifier was asked for, and what the answer was.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

const A_DAY: SignedDuration = SignedDuration::from_hours(24);
const A_WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);
/// How long a listing is kept that no app of the catalog has any more. A source that fails for some
/// days does not take the listings away.
const UNWANTED: SignedDuration = SignedDuration::from_hours(30 * 24);

/// What earlier lookups learned. Keys are bundle identifiers in lower case: the store does not
/// distinguish the case.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ListingMemory {
    pub(super) country: String,
    /// How many identifiers the server answered at a time; 0 if that is not known.
    pub(super) at_a_time: usize,
    pub(super) asked: BTreeMap<String, Asked>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Asked {
    pub(super) at: Timestamp,
    #[serde(flatten)]
    pub(super) answer: Answer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub(super) enum Answer {
    Listed,
    Unlisted,
    /// There was a listing, and the first answer without it came at this time.
    Missing {
        since: Timestamp,
    },
    /// The request failed.
    Unknown,
}

impl ListingMemory {
    /// The answers of one country's store say nothing about another.
    pub(super) fn of_country(self, country: &str) -> Self {
        if self.country == country {
            return self;
        }
        Self { country: country.to_owned(), ..Self::default() }
    }

    /// Whether an identifier is to be asked for. `is_held` tells whether it has a listing.
    fn is_due(&self, key: &str, is_held: bool, now: Timestamp) -> bool {
        let Some(asked) = self.asked.get(key) else { return true };
        match asked.answer {
            Answer::Listed | Answer::Unknown => true,
            // The clock was wrong then or is wrong now.
            Answer::Unlisted | Answer::Missing { .. } if asked.at > now => true,
            // What is held can differ from what was asked for: somebody restored a backup.
            Answer::Unlisted => is_held || now.duration_since(asked.at) >= A_WEEK,
            Answer::Missing { since } => !is_held || now.duration_since(since) >= A_DAY,
        }
    }

    /// The keys that are due, the one that was asked for least recently first.
    pub(super) fn due<'k>(
        &self,
        keys: impl Iterator<Item = &'k String>,
        is_held: impl Fn(&str) -> bool,
        now: Timestamp,
    ) -> Vec<String> {
        let mut due: Vec<&String> =
            keys.filter(|key| self.is_due(key, is_held(key), now)).collect();
        let last = |key: &str| self.asked.get(key).map(|asked| asked.at);
        due.sort_by_key(|key| (last(key), *key));
        due.into_iter().cloned().collect()
    }

    /// Notes an answer, and returns whether the listing is gone for good.
    pub(super) fn note(
        &mut self,
        key: &str,
        is_listed: bool,
        is_held: bool,
        now: Timestamp,
    ) -> bool {
        let before = self.asked.get(key).map(|asked| asked.answer);
        let answer = match before {
            _ if is_listed => Answer::Listed,
            Some(Answer::Missing { .. }) | None if !is_held => Answer::Unlisted,
            Some(Answer::Missing { since }) if now.duration_since(since) >= A_DAY => {
                Answer::Unlisted
            }
            Some(missing @ Answer::Missing { .. }) => missing,
            _ if is_held => Answer::Missing { since: now },
            _ => Answer::Unlisted,
        };
        self.asked.insert(key.to_owned(), Asked { at: now, answer });
        is_held && answer == Answer::Unlisted
    }

    /// Notes that a request failed. The identifier is not the first of the next run.
    pub(super) fn note_failure(&mut self, key: &str, now: Timestamp) {
        let asked = Asked { at: now, answer: Answer::Unknown };
        self.asked.entry(key.to_owned()).or_insert(asked).at = now;
    }

    /// Forgets what nobody wants, and returns the listings that are dropped with it.
    pub(super) fn forget(
        &mut self,
        wanted: &BTreeSet<&str>,
        held: &BTreeSet<&str>,
        now: Timestamp,
    ) -> Vec<String> {
        for key in held {
            let asked = Asked { at: now, answer: Answer::Unknown };
            self.asked.entry((*key).to_owned()).or_insert(asked);
        }
        let is_recent = |asked: &Asked| now.duration_since(asked.at) < UNWANTED;
        let mut dropped = Vec::new();
        self.asked.retain(|key, asked| {
            let key = key.as_str();
            let is_held = held.contains(key);
            let stays = wanted.contains(key) || (is_held && is_recent(asked));
            if is_held && !stays {
                dropped.push(key.to_owned());
            }
            stays
        });
        dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours(hours: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours)
    }

    fn due(memory: &ListingMemory, is_held: bool, now: Timestamp) -> Vec<String> {
        let keys: Vec<String> = ["a", "b", "c"].map(str::to_owned).into();
        memory.due(keys.iter(), |_| is_held, now)
    }

    #[test]
    fn what_has_no_listing_is_asked_for_weekly_and_the_rest_in_turn() {
        let mut memory = ListingMemory::default();
        assert_eq!(due(&memory, false, hours(0)), ["a", "b", "c"]);
        assert!(!memory.note("a", true, false, hours(2)));
        assert!(!memory.note("b", false, false, hours(1)));
        assert_eq!(due(&memory, false, hours(3)), ["c", "a"]);
        memory.note_failure("c", hours(3));
        assert_eq!(
            due(&memory, false, hours(4)),
            ["a", "c"],
            "a failure does not block the others"
        );
        assert_eq!(due(&memory, false, hours(168)), ["a", "c"]);
        assert_eq!(due(&memory, false, hours(169)), ["b", "a", "c"]);
    }

    #[test]
    fn a_listing_is_gone_on_a_second_look_a_day_later() {
        let mut memory = ListingMemory::default();
        memory.note("a", true, true, hours(0));
        assert!(!memory.note("a", false, true, hours(24)));
        assert!(!due(&memory, true, hours(47)).contains(&"a".to_owned()));
        assert!(due(&memory, true, hours(48)).contains(&"a".to_owned()));
        let mut back = memory.clone();
        assert!(!back.note("a", true, true, hours(48)));
        assert!(!back.note("a", false, true, hours(72)), "the next look is a first one again");
        assert!(memory.note("a", false, true, hours(48)));
        assert!(!due(&memory, false, hours(72)).contains(&"a".to_owned()));
    }

    #[test]
    fn another_country_is_asked_for_everything() {
        let mut memory = ListingMemory::default().of_country("us");
        memory.note("a", false, false, hours(0));
        assert_eq!(due(&memory.clone().of_country("us"), false, hours(1)), ["b", "c"]);
        assert_eq!(due(&memory.of_country("de"), false, hours(1)), ["a", "b", "c"]);
    }

    #[test]
    fn the_listing_of_an_app_that_left_stays_for_a_month() {
        let mut memory = ListingMemory::default();
        memory.note("a", true, true, hours(0));
        memory.note("b", false, false, hours(0));
        let (none, held) = (BTreeSet::new(), BTreeSet::from(["a"]));
        assert!(memory.forget(&none, &held, hours(24)).is_empty());
        assert_eq!(memory.asked.keys().collect::<Vec<_>>(), ["a"]);
        assert_eq!(memory.forget(&none, &held, hours(30 * 24)), ["a"]);
        assert!(memory.asked.is_empty());
    }

    #[test]
    fn it_is_kept_as_json() {
        let mut memory = ListingMemory::default().of_country("us");
        memory.note("a", true, true, hours(0));
        memory.note("a", false, true, hours(24));
        memory.note("b", false, false, hours(24));
        let text = serde_json::to_string(&memory).unwrap();
        assert_eq!(serde_json::from_str::<ListingMemory>(&text).unwrap(), memory);
        assert_eq!(serde_json::from_str::<ListingMemory>("{}").unwrap(), ListingMemory::default());
    }
}
