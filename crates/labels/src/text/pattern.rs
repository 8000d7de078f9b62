//! POSIX regular expressions, which prefer the longest of the leftmost matches.
//!
//! The `regex` crate prefers the first alternative instead (`a|ab` matches `a` in `ab`). Both agree
//! on where a match starts, so its end is searched again where they may differ.

mod bracket;
mod escape;
mod syntax;
mod translate;

use std::cell::{OnceCell, RefCell};
use std::ops::Range;

use regex::{Regex, RegexBuilder};
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::{Anchored, Input, MatchKind};

pub(super) use syntax::Syntax;

use crate::{Budget, Stopped};

/// Compiled patterns larger than this are refused, in bytes.
const SIZE_LIMIT: usize = 1 << 21;

/// One step is taken for this many bytes that a search may look at beyond its match.
const LOOKAHEAD_PER_STEP: usize = 4096;

/// A compiled pattern.
pub(super) struct Pattern {
    first: Regex,
    longest: Option<Longest>,
}

/// Finds the longest match that starts at a known place.
struct Longest {
    automaton: DFA,
    cache: RefCell<Cache>,
    source: String,
    /// The pattern that ends at the end of the text, for the groups of a longer match.
    to_end: OnceCell<Option<Regex>>,
}

/// How patterns are compiled besides their syntax.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "the modes are independent")]
pub(super) struct Mode {
    /// Whether the case of letters does not matter.
    pub ignore_case: bool,
    /// Whether a match must be a whole word.
    pub whole_word: bool,
    /// Whether a match must be a whole line.
    pub whole_line: bool,
    /// Whether `.` stops at newlines, and `^` and `$` match at them.
    pub several_lines: bool,
}

/// The groups of a match: the match itself first.
pub(super) type Groups = Vec<Option<Range<usize>>>;

impl Pattern {
    /// Compiles alternative patterns into one.
    pub(super) fn compile(
        command: &str,
        sources: &[&str],
        syntax: Syntax,
        mode: Mode,
    ) -> Result<Self, Stopped> {
        let refuse = |source: &str, why: &str| {
            Stopped::unsupported(command, format_args!("the pattern {source} ({why})"))
        };
        let mut translated = Vec::new();
        let mut ambiguous = sources.len() > 1;
        let mut lazy = false;
        for &source in sources {
            let one = translate::translate(source, syntax, mode.several_lines)
                .map_err(|why| refuse(source, why))?;
            ambiguous |= one.ambiguous;
            lazy |= one.lazy;
            translated.push(one.text);
        }
        let whole = Self::wrap(&translated, mode);
        let shown = sources.first().copied().unwrap_or_default();
        let first = build(&whole).ok_or_else(|| refuse(shown, "it is invalid or too large"))?;
        let longest = if ambiguous && !lazy {
            Some(Longest::new(whole).ok_or_else(|| refuse(shown, "it is too large"))?)
        } else {
            None
        };
        Ok(Self { first, longest })
    }

    fn wrap(translated: &[String], mode: Mode) -> String {
        let body = match translated {
            [only] => only.clone(),
            several => format!("(?:{})", several.join(")|(?:")),
        };
        let body = if mode.whole_word {
            format!(r"(?-u:\b{{start-half}})(?:{body})(?-u:\b{{end-half}})")
        } else {
            body
        };
        let body = if mode.whole_line { format!("^(?:{body})$") } else { body };
        let case = if mode.ignore_case { "i" } else { "" };
        let lines = if mode.several_lines { "m" } else { "s" };
        format!("(?{case}{lines}){body}")
    }

    /// How many groups the pattern has, without the match itself.
    pub(super) fn groups(&self) -> usize {
        self.first.captures_len().saturating_sub(1)
    }

    /// Whether the pattern matches anywhere.
    pub(super) fn is_match(&self, text: &str, budget: &mut Budget) -> Result<bool, Stopped> {
        budget.step(1 + text.len() / 64)?;
        Ok(self.first.is_match(text))
    }

    /// The first match that starts at `from` or later.
    pub(super) fn find(
        &self,
        text: &str,
        from: usize,
        budget: &mut Budget,
    ) -> Result<Option<Range<usize>>, Stopped> {
        let found = self.first.find_at(text, from).map(|found| found.range());
        let found = found.map(|found| match &self.longest {
            Some(longest) => longest.extend(text, found),
            None => found,
        });
        charge(text, from, found.as_ref(), budget)?;
        Ok(found)
    }

    /// The groups of the first match that starts at `from` or later.
    pub(super) fn capture(
        &self,
        text: &str,
        from: usize,
        budget: &mut Budget,
    ) -> Result<Option<Groups>, Stopped> {
        let Some(found) = self.find(text, from, budget)? else { return Ok(None) };
        let mut captures = self.first.captures_at(text, found.start);
        if let Some(longest) = &self.longest
            && captures.as_ref().and_then(|it| it.get(0)).map(|it| it.end()) != Some(found.end)
            && let Some(to_end) = longest.to_end()
            && let Some(shorter) = text.get(..found.end)
        {
            captures = to_end.captures_at(shorter, found.start);
        }
        Ok(captures.map(|captures| captures.iter().map(|it| it.map(|it| it.range())).collect()))
    }
}

/// Where to search after a match: behind it, or one character on if it is empty.
pub(super) fn after(text: &str, found: &Range<usize>) -> usize {
    if found.is_empty() {
        let next = text.get(found.end..).and_then(|rest| rest.chars().next());
        found.end + next.map_or(1, char::len_utf8)
    } else {
        found.end
    }
}

fn charge(
    text: &str,
    from: usize,
    found: Option<&Range<usize>>,
    budget: &mut Budget,
) -> Result<(), Stopped> {
    let end = found.map_or(text.len(), |found| found.end);
    let scanned = end.saturating_sub(from) / 64;
    budget.step(1 + scanned + text.len().saturating_sub(end) / LOOKAHEAD_PER_STEP)
}

fn build(source: &str) -> Option<Regex> {
    RegexBuilder::new(source).size_limit(SIZE_LIMIT).dfa_size_limit(SIZE_LIMIT).build().ok()
}

impl Longest {
    fn new(source: String) -> Option<Self> {
        let settings = DFA::config().match_kind(MatchKind::All).skip_cache_capacity_check(true);
        let size = regex_automata::nfa::thompson::Config::new().nfa_size_limit(Some(SIZE_LIMIT));
        let automaton = DFA::builder().configure(settings).thompson(size).build(&source).ok()?;
        let cache = RefCell::new(automaton.create_cache());
        Some(Self { automaton, cache, source, to_end: OnceCell::new() })
    }

    /// The longest match with the start of this one.
    fn extend(&self, text: &str, found: Range<usize>) -> Range<usize> {
        let input = Input::new(text).range(found.start..).anchored(Anchored::Yes);
        let longest = self.automaton.try_search_fwd(&mut self.cache.borrow_mut(), &input);
        match longest {
            Ok(Some(end)) if end.offset() > found.end => found.start..end.offset(),
            _ => found,
        }
    }

    fn to_end(&self) -> Option<&Regex> {
        self.to_end.get_or_init(|| build(&format!(r"(?:{})\z", self.source))).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(source: &str, syntax: Syntax, text: &str) -> Vec<String> {
        let pattern = Pattern::compile("test", &[source], syntax, Mode::default()).unwrap();
        let found = pattern.capture(text, 0, &mut Budget::default()).unwrap();
        let found = found.into_iter().flatten();
        found.map(|range| range.map_or("-".into(), |range| text[range].to_owned())).collect()
    }

    #[test]
    fn the_longest_of_the_leftmost_matches_is_found() {
        assert_eq!(groups("a|ab", Syntax::AWK, "xab"), ["ab"]);
        assert_eq!(groups("(a|ab)(c|bcd)?", Syntax::SED_EXTENDED, "abcd"), ["abcd", "a", "bcd"]);
        assert_eq!(groups("[0-9]+(\\.[0-9]+)*", Syntax::AWK, "v1.2.3-4"), ["1.2.3", ".3"]);
        assert_eq!(groups("(x*)(ab)?", Syntax::AWK, "b"), ["", "", "-"]);
    }

    #[test]
    fn lazy_repetitions_stay_lazy() {
        assert_eq!(groups("a.*?(b|bc)", Syntax::GREP_EXTENDED, "axbcbc"), ["axb", "b"]);
    }

    #[test]
    fn words_and_lines_can_be_whole() {
        let whole_word = Mode { whole_word: true, ..Mode::default() };
        let pattern = Pattern::compile("test", &["b.."], Syntax::GREP_BASIC, whole_word).unwrap();
        let found = pattern.find("abcd bcd", 0, &mut Budget::default()).unwrap();
        assert_eq!(found, Some(5..8));
        let whole_line = Mode { whole_line: true, ..Mode::default() };
        let pattern = Pattern::compile("test", &["a", "bc"], Syntax::GREP_BASIC, whole_line);
        assert!(pattern.unwrap().is_match("bc", &mut Budget::default()).unwrap());
    }

    #[test]
    fn huge_patterns_are_refused() {
        let syntax = Syntax::AWK;
        assert!(
            Pattern::compile("awk", &["((a{200}){200}){200}"], syntax, Mode::default()).is_err()
        );
        assert!(Pattern::compile("awk", &[&"(".repeat(9999)], syntax, Mode::default()).is_err());
        let deep = format!("{}a{}", "(".repeat(9999), ")".repeat(9999));
        assert!(Pattern::compile("awk", &[&deep], syntax, Mode::default()).is_err());
    }
}
