//! Searches with regular expressions, in time and memory that grow with the text only.
//!
//! The automaton is built while it reads, in a small cache. An expression that needs new states all the
//! time is given up: other engines would go on, but slower with every state.

use std::cell::{OnceCell, RefCell};
use std::ops::Range;

use regex::{Regex, RegexBuilder};
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{Config, NFA, WhichCaptures};
use regex_automata::{Anchored, Input, MatchKind};

use crate::{Budget, Stopped};

/// Compiled expressions larger than this are refused, in bytes.
const SIZE: usize = 1 << 18;

/// The size of the cache of an automaton, in bytes.
const CACHE: usize = 1 << 18;

/// The bytes that are taken for an expression: what it is compiled to, and the cache as far as it is
/// usually filled.
const HELD: usize = 1 << 11;

/// How many bytes behind a match are looked at to find out whether the search went on.
const NEAR: usize = 256;

pub(crate) struct Search {
    source: String,
    forward: Automaton,
    /// Finds the start of a match from its end.
    backward: OnceCell<Option<Automaton>>,
    groups: OnceCell<Option<Regex>>,
    groups_to_end: OnceCell<Option<Regex>>,
}

pub(crate) struct Automaton {
    dfa: DFA,
    cache: RefCell<Cache>,
}

impl Automaton {
    fn new(nfa: NFA, kind: MatchKind) -> Option<Self> {
        let settings = DFA::config()
            .match_kind(kind)
            // Works in ASCII, and is given up at the first other character.
            .unicode_word_boundary(true)
            .cache_capacity(CACHE)
            .skip_cache_capacity_check(true)
            .minimum_cache_clear_count(Some(3))
            .minimum_bytes_per_state(Some(10));
        let dfa = DFA::builder().configure(settings).build_from_nfa(nfa).ok()?;
        let cache = RefCell::new(dfa.create_cache());
        Some(Self { dfa, cache })
    }

    /// Where the match ends that starts at the start of the input, or the first one if the input is
    /// not anchored.
    pub(crate) fn end(&self, input: &Input<'_>) -> Result<Option<usize>, Stopped> {
        let found = self.dfa.try_search_fwd(&mut self.cache.borrow_mut(), input);
        found.map(|found| found.map(|found| found.offset())).map_err(|_| given_up())
    }

    fn start(&self, input: &Input<'_>) -> Result<Option<usize>, Stopped> {
        let found = self.dfa.try_search_rev(&mut self.cache.borrow_mut(), input);
        found.map(|found| found.map(|found| found.offset())).map_err(|_| given_up())
    }

    /// Takes the steps for what a search looks at behind a match. With `a(.*b)?` and with `a|b.*c`
    /// that can be the rest of the text, for every match.
    pub(crate) fn charge_rest(
        &self,
        input: &Input<'_>,
        end: usize,
        budget: &mut Budget,
    ) -> Result<(), Stopped> {
        let rest = input.end().saturating_sub(end);
        if rest > NEAR * 4 && self.goes_on(input, end) {
            budget.step(rest / 64)?;
        }
        Ok(())
    }

    /// Whether a search for a match goes on for some way behind it.
    fn goes_on(&self, input: &Input<'_>, end: usize) -> bool {
        let mut cache = self.cache.borrow_mut();
        let Ok(mut state) = self.dfa.start_state_forward(&mut cache, input) else { return true };
        let near = input.haystack().get(input.start()..end + NEAR).unwrap_or_default();
        for byte in near {
            match self.dfa.next_state(&mut cache, state, *byte) {
                Ok(next) if next.is_dead() => return false,
                Ok(next) => state = next,
                Err(_) => return true,
            }
        }
        !near.is_empty()
    }
}

fn given_up() -> Stopped {
    Stopped::Unsupported("a regular expression takes too long".to_owned())
}

fn nfa(source: &str, reverse: bool) -> Option<NFA> {
    // Only the forward expression has to count its groups.
    let groups = if reverse { WhichCaptures::None } else { WhichCaptures::All };
    let settings = Config::new().nfa_size_limit(Some(SIZE)).reverse(reverse).which_captures(groups);
    NFA::compiler().configure(settings).build(source).ok()
}

impl Search {
    /// Compiles an expression in the syntax of the `regex` crate; nothing if it is invalid or too
    /// large.
    pub(crate) fn compile(source: &str, budget: &mut Budget) -> Result<Option<Self>, Stopped> {
        // A repetition can make much of a short text.
        let repeats = source.matches('{').count().min(10);
        budget.step(100 + source.len() * 4 + repeats * 500)?;
        budget.hold(HELD)?;
        let Some(nfa) = nfa(source, false) else { return Ok(None) };
        // The automaton that is built of them while it reads takes as long again, twice.
        budget.step(nfa.states().len() * 3)?;
        let forward = Automaton::new(nfa, MatchKind::LeftmostFirst);
        let search = forward.map(|forward| Self {
            source: source.to_owned(),
            forward,
            backward: OnceCell::new(),
            groups: OnceCell::new(),
            groups_to_end: OnceCell::new(),
        });
        Ok(search)
    }

    pub(crate) fn groups(&self) -> usize {
        self.nfa().group_info().group_len(regex_automata::PatternID::ZERO).saturating_sub(1)
    }

    fn nfa(&self) -> &NFA {
        self.forward.dfa.get_nfa()
    }

    /// An automaton that finds the longest match from its start.
    pub(crate) fn longest(&self) -> Option<Automaton> {
        Automaton::new(self.nfa().clone(), MatchKind::All)
    }

    pub(crate) fn is_match(&self, text: &str, budget: &mut Budget) -> Result<bool, Stopped> {
        budget.step(1 + text.len() / 64)?;
        Ok(self.forward.end(&Input::new(text).earliest(true))?.is_some())
    }

    pub(crate) fn find(
        &self,
        text: &str,
        from: usize,
        budget: &mut Budget,
    ) -> Result<Option<Range<usize>>, Stopped> {
        if from > text.len() {
            return Ok(None);
        }
        let input = Input::new(text).range(from..);
        let Some(end) = self.forward.end(&input)? else {
            budget.step(1 + (text.len() - from) / 64)?;
            return Ok(None);
        };
        let found = self.start(&input, end)?..end;
        budget.step(1 + (end - from) / 64)?;
        self.forward.charge_rest(&input, end, budget)?;
        Ok(Some(found))
    }

    fn start(&self, input: &Input<'_>, end: usize) -> Result<usize, Stopped> {
        if input.start() == end || self.nfa().is_always_start_anchored() {
            return Ok(input.start());
        }
        let backward = self.backward.get_or_init(|| {
            nfa(&self.source, true).and_then(|nfa| Automaton::new(nfa, MatchKind::All))
        });
        let backward = backward.as_ref().ok_or_else(given_up)?;
        let input = input.clone().range(input.start()..end).anchored(Anchored::Yes);
        backward.start(&input)?.ok_or_else(given_up)
    }

    /// The groups of a match that is known: the match itself first.
    pub(crate) fn capture(
        &self,
        text: &str,
        found: &Range<usize>,
        budget: &mut Budget,
    ) -> Result<Option<Vec<Option<Range<usize>>>>, Stopped> {
        let work = found.len().saturating_mul(self.nfa().states().len());
        budget.step(1 + work / 64)?;
        let groups = self.groups.get_or_init(|| groups(&self.source));
        let groups = groups.as_ref().ok_or_else(given_up)?;
        let mut captures = groups.captures_at(text, found.start);
        let end = captures.as_ref().and_then(|it| it.get(0)).map(|it| it.end());
        if end != Some(found.end)
            && let Some(shorter) = text.get(..found.end)
        {
            // A longer match was looked for than the first one.
            let to_end = self.groups_to_end.get_or_init(|| groups_to_end(&self.source));
            let to_end = to_end.as_ref().ok_or_else(given_up)?;
            captures = to_end.captures_at(shorter, found.start);
        }
        Ok(captures.map(|captures| captures.iter().map(|it| it.map(|it| it.range())).collect()))
    }
}

/// Where to search after a match: behind it, or one character on if it is empty.
pub(crate) fn after(text: &str, found: &Range<usize>) -> usize {
    if found.is_empty() {
        let next = text.get(found.end..).and_then(|rest| rest.chars().next());
        found.end + next.map_or(1, char::len_utf8)
    } else {
        found.end
    }
}

fn groups(source: &str) -> Option<Regex> {
    RegexBuilder::new(source).size_limit(SIZE * 4).dfa_size_limit(CACHE).build().ok()
}

fn groups_to_end(source: &str) -> Option<Regex> {
    groups(&format!(r"(?:{source})\z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(source: &str) -> Search {
        Search::compile(source, &mut Budget::default()).unwrap().unwrap()
    }

    #[test]
    fn matches_are_those_of_the_library() {
        let texts = ["", "a", "ab abc", "xaab\nb", "é-1.2.3 é", "aaaaaaab"];
        for source in [
            "a", "a*", "", "a|ab", "(a+)(b*)", "^a", "b$", "(?m)^b", r"(?-u:\b)a", "[^a]*?b",
            "é|1", r"\A(?:a*)", r"(?:b)\z", r"[0-9]+(\.[0-9]+)*",
        ] {
            let (searched, library) = (search(source), Regex::new(source).unwrap());
            let mut budget = Budget::default();
            for text in texts {
                let mut from = 0;
                while from <= text.len() {
                    if !text.is_char_boundary(from) {
                        from += 1;
                        continue;
                    }
                    let expected = library.captures_at(text, from);
                    let range = expected.as_ref().and_then(|it| it.get(0)).map(|it| it.range());
                    let found = searched.find(text, from, &mut budget).unwrap();
                    assert_eq!(found, range, "{source} {text:?} {from}");
                    if let (Some(found), Some(expected)) = (found, expected) {
                        let groups = searched.capture(text, &found, &mut budget).unwrap().unwrap();
                        let expected: Vec<_> =
                            expected.iter().map(|it| it.map(|it| it.range())).collect();
                        assert_eq!(groups, expected, "{source} {text:?} {from}");
                    }
                    from += 1;
                }
                assert_eq!(searched.is_match(text, &mut budget), Ok(library.is_match(text)));
            }
            assert_eq!(searched.groups(), library.captures_len() - 1, "{source}");
        }
    }

    #[test]
    fn an_expression_that_needs_ever_more_states_is_given_up() {
        let mut state = 1_u32;
        let mut text = String::new();
        for _ in 0..400_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            text.push(if state >> 31 == 0 { 'a' } else { 'b' });
        }
        let search = search(&format!("a{}c", "[ab]".repeat(40)));
        assert_eq!(search.find(&text, 0, &mut Budget::default()), Err(given_up()));
    }

    #[test]
    fn words_end_where_letters_do() {
        let mut budget = Budget::default();
        assert_eq!(search(r"\ba\b").find("ab a", 0, &mut budget), Ok(Some(3..4)));
    }

    #[test]
    fn what_a_search_looks_at_behind_a_match_counts() {
        let text = "ab".repeat(100_000);
        for source in ["a(.*c)?", "a|b.*c"] {
            let mut budget = Budget::new(1_000_000, 1 << 20, 0);
            let search = search(source);
            let mut from = 0;
            let result = loop {
                match search.find(&text, from, &mut budget) {
                    Ok(Some(found)) => from = found.end,
                    other => break other,
                }
            };
            assert!(result.is_err() && from < 2000, "{source}: {from}");
        }
    }
}
