//! POSIX regular expressions, which prefer the longest of the leftmost matches.
//!
//! The `regex` crate prefers the first alternative instead (`a|ab` matches `a` in `ab`). Both agree
//! on where a match starts, so its end is searched again where they may differ.

mod bracket;
mod syntax;
mod translate;

use std::ops::Range;

use regex_automata::{Anchored, Input};

pub(crate) use syntax::Syntax;

pub(super) use crate::search::after;

use crate::search::{Automaton, Search};
use crate::{Budget, Stopped};

pub(crate) struct Pattern {
    first: Search,
    /// Finds the longest match that starts at a known place.
    longest: Option<Automaton>,
}

/// How patterns are compiled besides their syntax.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "the modes are independent")]
pub(crate) struct Mode {
    pub ignore_case: bool,
    pub whole_word: bool,
    pub whole_line: bool,
    /// Whether `.` stops at newlines, and `^` and `$` match at them.
    pub several_lines: bool,
}

/// The groups of a match: the match itself first.
pub(crate) type Groups = Vec<Option<Range<usize>>>;

impl Pattern {
    pub(crate) fn compile(
        command: &str,
        sources: &[&str],
        syntax: Syntax,
        mode: Mode,
        budget: &mut Budget,
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
        let first = Search::compile(&whole, budget)?;
        let first = first.ok_or_else(|| refuse(shown, "it is invalid or too large"))?;
        let longest = if ambiguous && !lazy {
            Some(first.longest().ok_or_else(|| refuse(shown, "it is too large"))?)
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

    pub(crate) fn groups(&self) -> usize {
        self.first.groups()
    }

    pub(crate) fn is_match(&self, text: &str, budget: &mut Budget) -> Result<bool, Stopped> {
        self.first.is_match(text, budget)
    }

    pub(crate) fn find(
        &self,
        text: &str,
        from: usize,
        budget: &mut Budget,
    ) -> Result<Option<Range<usize>>, Stopped> {
        let Some(found) = self.first.find(text, from, budget)? else { return Ok(None) };
        let Some(longest) = &self.longest else { return Ok(Some(found)) };
        let input = Input::new(text).range(found.start..).anchored(Anchored::Yes);
        let end = longest.end(&input)?.unwrap_or(found.end);
        budget.step(1 + end.saturating_sub(found.start) / 64)?;
        let found = found.start..end.max(found.end);
        longest.charge_rest(&input, found.end, budget)?;
        Ok(Some(found))
    }

    /// The groups of the first match that starts at `from` or later.
    pub(crate) fn capture(
        &self,
        text: &str,
        from: usize,
        budget: &mut Budget,
    ) -> Result<Option<Groups>, Stopped> {
        let Some(found) = self.find(text, from, budget)? else { return Ok(None) };
        self.first.capture(text, &found, budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(source: &str, syntax: Syntax, text: &str) -> Vec<String> {
        let pattern =
            Pattern::compile("test", &[source], syntax, Mode::default(), &mut Budget::default())
                .unwrap();
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
        let pattern = Pattern::compile(
            "test",
            &["b.."],
            Syntax::GREP_BASIC,
            whole_word,
            &mut Budget::default(),
        )
        .unwrap();
        let found = pattern.find("abcd bcd", 0, &mut Budget::default()).unwrap();
        assert_eq!(found, Some(5..8));
        let whole_line = Mode { whole_line: true, ..Mode::default() };
        let pattern = Pattern::compile(
            "test",
            &["a", "bc"],
            Syntax::GREP_BASIC,
            whole_line,
            &mut Budget::default(),
        );
        assert!(pattern.unwrap().is_match("bc", &mut Budget::default()).unwrap());
    }

    #[test]
    fn huge_patterns_are_refused() {
        let syntax = Syntax::AWK;
        assert!(
            Pattern::compile(
                "awk",
                &["((a{200}){200}){200}"],
                syntax,
                Mode::default(),
                &mut Budget::default()
            )
            .is_err()
        );
        assert!(
            Pattern::compile(
                "awk",
                &[&"(".repeat(9999)],
                syntax,
                Mode::default(),
                &mut Budget::default()
            )
            .is_err()
        );
        let deep = format!("{}a{}", "(".repeat(9999), ")".repeat(9999));
        assert!(
            Pattern::compile("awk", &[&deep], syntax, Mode::default(), &mut Budget::default())
                .is_err()
        );
    }
}
