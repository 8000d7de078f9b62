//! Translates basic and extended POSIX regular expressions, and what a Mac adds to them, to the
//! syntax of the `regex` crate.

use super::bracket;
use super::syntax::Syntax;
use crate::escape;

#[derive(Debug, Default)]
pub(super) struct Translated {
    pub text: String,
    /// Whether its first match may not be its longest.
    pub ambiguous: bool,
    pub lazy: bool,
}

/// Translates a pattern. With `several_lines`, negated brackets do not match newlines.
pub(super) fn translate(
    source: &str,
    syntax: Syntax,
    several_lines: bool,
) -> Result<Translated, &'static str> {
    if syntax.fixed {
        return Ok(Translated { text: regex::escape(source), ..Translated::default() });
    }
    let mut translator = Translator {
        syntax,
        several_lines,
        result: Translated::default(),
        open: Vec::new(),
        last: Last::Nothing,
    };
    let mut rest = source;
    while let Some(character) = rest.chars().next() {
        rest = rest.get(character.len_utf8()..).unwrap_or_default();
        rest = translator.next(character, rest)?;
    }
    if translator.open.is_empty() { Ok(translator.result) } else { Err("a group is not closed") }
}

/// What the translated text ends with.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    /// Nothing that can be repeated: the start of the pattern, of a group or of an alternative.
    Nothing,
    Anchor,
    Single,
    Group,
    /// Something that is already repeated, and starts here.
    Repeated(usize),
}

struct Translator {
    syntax: Syntax,
    several_lines: bool,
    result: Translated,
    /// Where the open groups start.
    open: Vec<usize>,
    last: Last,
}

impl Translator {
    /// Translates one element and gives what follows it.
    fn next<'a>(&mut self, character: char, rest: &'a str) -> Result<&'a str, &'static str> {
        let extended = self.syntax.extended;
        match character {
            '\\' => return self.escape(rest),
            '[' => {
                let bracket = bracket::translate(rest, self.syntax, self.several_lines)?;
                self.single(&bracket.text);
                return Ok(bracket.rest);
            }
            '.' => self.single("."),
            '*' if !extended && matches!(self.last, Last::Nothing | Last::Anchor) => {
                self.literal('*');
            }
            '*' => return self.repeat("*", rest),
            '+' | '?' if extended => {
                return self.repeat(if character == '+' { "+" } else { "?" }, rest);
            }
            '{' if extended && !matches!(self.last, Last::Nothing | Last::Anchor) => {
                match interval(rest, "}") {
                    Some((interval, rest)) => return self.repeat(&interval, rest),
                    None if self.syntax.controls => self.literal('{'),
                    None => return Err("an invalid interval"),
                }
            }
            '(' if extended => return self.open(rest),
            ')' if extended => self.close()?,
            '|' if extended => self.alternative(),
            '^' if extended || self.last == Last::Nothing => self.anchor("^"),
            '$' if extended || ends_branch(rest) => self.anchor("$"),
            other => self.literal(other),
        }
        Ok(rest)
    }

    fn escape<'a>(&mut self, source: &'a str) -> Result<&'a str, &'static str> {
        if self.syntax.controls
            && let Some((control, rest)) = escape::read(source)
        {
            self.literal(control);
            return Ok(rest);
        }
        let escaped = source.chars().next().ok_or("it ends with a backslash")?;
        let rest = source.get(escaped.len_utf8()..).unwrap_or_default();
        match escaped {
            '(' if !self.syntax.extended => return self.open(rest),
            ')' if !self.syntax.extended => self.close()?,
            '{' if !self.syntax.extended => {
                let (interval, rest) = interval(rest, "\\}").ok_or("an invalid interval")?;
                return self.repeat(&interval, rest);
            }
            '1'..='9' if !self.syntax.controls => return Err("a back-reference"),
            _ if self.syntax.enhanced => return self.enhanced(escaped, rest),
            other => self.literal(other),
        }
        Ok(rest)
    }

    /// What only a Mac's grep understands after a backslash.
    fn enhanced<'a>(&mut self, escaped: char, rest: &'a str) -> Result<&'a str, &'static str> {
        match escaped {
            '+' if !self.syntax.extended => return self.repeat("+", rest),
            '?' if !self.syntax.extended => return self.repeat("?", rest),
            '|' if !self.syntax.extended => self.alternative(),
            'd' => self.single("[0-9]"),
            'D' => self.single("[^0-9]"),
            'w' => self.single("[0-9A-Z_a-z]"),
            'W' => self.single("[^0-9A-Z_a-z]"),
            's' => self.single(r"[ \t-\r]"),
            'S' => self.single(r"[^ \t-\r]"),
            'b' => self.anchor(r"(?-u:\b)"),
            'B' => self.anchor(r"(?-u:\B)"),
            '<' => self.anchor(r"(?-u:\b{start})"),
            '>' => self.anchor(r"(?-u:\b{end})"),
            'n' => self.literal('\n'),
            't' => self.literal('\t'),
            'r' => self.literal('\r'),
            'f' => self.literal('\u{c}'),
            'a' => self.literal('\u{7}'),
            'e' => self.literal('\u{1b}'),
            'Q' | 'E' | 'x' | 'U' | 'L' | 'K' => return Err("an escape that is not known"),
            other => self.literal(other),
        }
        Ok(rest)
    }

    fn literal(&mut self, character: char) {
        let mut buffer = [0; 4];
        self.single(&regex::escape(character.encode_utf8(&mut buffer)));
    }

    fn single(&mut self, text: &str) {
        self.result.text.push_str(text);
        self.last = Last::Single;
    }

    fn anchor(&mut self, text: &str) {
        self.result.text.push_str(text);
        self.last = Last::Anchor;
    }

    fn alternative(&mut self) {
        self.result.text.push('|');
        self.result.ambiguous = true;
        self.last = Last::Nothing;
    }

    fn open<'a>(&mut self, rest: &'a str) -> Result<&'a str, &'static str> {
        self.open.push(self.result.text.len());
        self.last = Last::Nothing;
        if self.syntax.enhanced
            && self.syntax.extended
            && let Some(after) = rest.strip_prefix('?')
        {
            let rest = after.strip_prefix(':').ok_or("a special group")?;
            self.result.text.push_str("(?:");
            return Ok(rest);
        }
        self.result.text.push('(');
        Ok(rest)
    }

    fn close(&mut self) -> Result<(), &'static str> {
        self.open.pop().ok_or("a group is not opened")?;
        self.result.text.push(')');
        self.last = Last::Group;
        Ok(())
    }

    fn repeat<'a>(&mut self, repetition: &str, rest: &'a str) -> Result<&'a str, &'static str> {
        match self.last {
            Last::Nothing | Last::Anchor => return Err("nothing is repeated"),
            Last::Group => self.result.ambiguous = true,
            Last::Single => {}
            // `a**` means `a*`; other combinations are errors to a Mac's tools.
            Last::Repeated(at) if self.result.text.get(at..) == Some(repetition) => {
                return Ok(rest);
            }
            Last::Repeated(_) => return Err("a repetition is repeated"),
        }
        let at = self.result.text.len();
        self.result.text.push_str(repetition);
        self.last = Last::Repeated(at);
        if self.syntax.enhanced
            && self.syntax.extended
            && let Some(rest) = rest.strip_prefix('?')
        {
            self.result.text.push('?');
            self.result.lazy = true;
            return Ok(rest);
        }
        Ok(rest)
    }
}

/// Reads an interval up to its end: `2}`, `2,}`, `2,4}` or `,4}`.
fn interval<'a>(source: &'a str, end: &str) -> Option<(String, &'a str)> {
    let (inside, rest) = source.split_once(end)?;
    let (from, to) = match inside.split_once(',') {
        Some((from, "")) => (from, None),
        Some((from, to)) => (from, Some(to.parse::<u16>().ok()?)),
        None => (inside, Some(inside.parse::<u16>().ok()?)),
    };
    let from = if from.is_empty() && inside.len() > 1 { 0 } else { from.parse::<u16>().ok()? };
    let interval = match to {
        Some(to) if to < from => return None,
        Some(to) => format!("{{{from},{to}}}"),
        None => format!("{{{from},}}"),
    };
    Some((interval, rest))
}

/// Whether a basic expression has its end, or the end of a group or an alternative, here.
fn ends_branch(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with("\\)") || rest.starts_with("\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(source: &str, syntax: Syntax) -> String {
        match translate(source, syntax, false) {
            Ok(translated) => translated.text,
            Err(why) => why.to_owned(),
        }
    }

    #[test]
    fn basic_expressions_escape_what_is_special() {
        let basic = |source| translated(source, Syntax::SED_BASIC);
        assert_eq!(basic(r".*-\([0-9.]*\).dmg"), r".*\-([\x{30}-\x{39}\x{2e}]*).dmg");
        assert_eq!(basic(r#""\{0,1\}"#), "\"{0,1}");
        assert_eq!(basic("^*a^b$c$"), r"^\*a\^b\$c$");
        assert_eq!(basic("{(+?|"), r"\{\(\+\?\|");
        assert_eq!(basic(r"\+\d\<"), r"\+d<");
        assert_eq!(basic(r"\(a\)\1"), "a back-reference");
    }

    #[test]
    fn a_mac_s_grep_understands_more() {
        let basic = |source| translated(source, Syntax::GREP_BASIC);
        assert_eq!(basic(r"[0-9]\+\.[0-9]\?"), r"[\x{30}-\x{39}]+\.[\x{30}-\x{39}]?");
        assert_eq!(basic(r"-rc\|-beta"), r"\-rc|\-beta");
        assert_eq!(basic(r"(*.*<span>)"), r"\(*.*<span>\)");
        let extended = |source| translated(source, Syntax::GREP_EXTENDED);
        assert_eq!(extended(r"\d+.*?x"), "[0-9]+.*?x");
        assert_eq!(extended(r"((?:[0-9]+\.?)+)"), r"((?:[\x{30}-\x{39}]+\.?)+)");
        assert_eq!(extended(r"(?=a)"), "a special group");
        assert_eq!(extended("*a"), "nothing is repeated");
    }

    #[test]
    fn a_backslash_in_brackets_is_plain_but_to_awk() {
        assert_eq!(translated(r#"[^\]","#, Syntax::GREP_EXTENDED), r#"[^\x{5c}]","#);
        assert_eq!(translated(r"[\]x]", Syntax::AWK), r"[\x{5d}\x{78}]");
        assert_eq!(translated(r"[\t]", Syntax::AWK), r"[\x{9}]");
        assert_eq!(translated("[]a-]", Syntax::SED_BASIC), r"[\x{5d}\x{61}\x{2d}]");
        assert_eq!(translated("[z-a]", Syntax::SED_BASIC), "a range is reversed");
        assert_eq!(translated("[a", Syntax::SED_BASIC), "a bracket is not closed");
    }

    #[test]
    fn awk_reads_controls_and_braces() {
        assert_eq!(translated(r"\r\011\/\.", Syntax::AWK), "\r\t/\\.");
        assert_eq!(translated("a{b{2}", Syntax::AWK), r"a\{b{2,2}");
    }
}
