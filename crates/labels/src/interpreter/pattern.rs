//! Patterns of the shell, such as `*.dmg`.

mod tokens;

use tokens::{Token, tokens, unsupported};

use crate::{
    Budget, Stopped,
    search::{Search, after},
};

#[derive(Debug)]
pub(crate) struct Pattern {
    tokens: Vec<Token>,
    /// `/#pattern` and `/%pattern`: where a replaced text must be.
    anchor: Option<char>,
}

impl Pattern {
    /// Reads a pattern. Characters that are not active stand for themselves.
    pub(crate) fn parse(characters: &[(char, bool)]) -> Result<Self, Stopped> {
        let mut rest = characters;
        let tokens = tokens(&mut rest, 0)?;
        if !rest.is_empty() {
            return Err(unsupported(characters));
        }
        let anchor = match characters.first() {
            Some((sign @ ('#' | '%'), true)) => Some(*sign),
            _ => None,
        };
        Ok(Self { tokens, anchor })
    }

    pub(crate) fn matches(&self, text: &str, budget: &mut Budget) -> Result<bool, Stopped> {
        if let Some(literal) = literal(&self.tokens) {
            return Ok(text == literal);
        }
        let whole = format!(r"\A(?:{})\z", expression(&self.tokens, true));
        compile(&whole, budget)?.is_match(text, budget)
    }

    /// The text without a match at one of its ends.
    pub(crate) fn strip<'t>(
        &self,
        text: &'t str,
        suffix: bool,
        longest: bool,
        budget: &mut Budget,
    ) -> Result<&'t str, Stopped> {
        if let Some(literal) = literal(&self.tokens) {
            let rest =
                if suffix { text.strip_suffix(&*literal) } else { text.strip_prefix(&*literal) };
            return Ok(rest.unwrap_or(text));
        }
        if !suffix {
            let start = format!(r"\A(?:{})", expression(&self.tokens, longest));
            let found = compile(&start, budget)?.find(text, 0, budget)?;
            let end = found.map_or(0, |found| found.end);
            return Ok(text.get(end..).unwrap_or(text));
        }
        // From behind, the shortest match is the first one.
        let reversed: String = text.chars().rev().collect();
        let start = format!(r"\A(?:{})", expression(&backwards(&self.tokens), longest));
        let found = compile(&start, budget)?.find(&reversed, 0, budget)?;
        let length = found.map_or(0, |found| found.end);
        Ok(text.get(..text.len().saturating_sub(length)).unwrap_or(text))
    }

    pub(crate) fn replace(
        &self,
        text: &str,
        replacement: &str,
        every: bool,
        budget: &mut Budget,
    ) -> Result<String, Stopped> {
        let tokens = match self.anchor {
            Some(_) => self.tokens.get(1..).unwrap_or(&[]),
            None => &self.tokens,
        };
        let inner = expression(tokens, true);
        let expression = match self.anchor {
            Some('#') => format!(r"\A(?:{inner})"),
            Some(_) => format!(r"(?:{inner})\z"),
            None => inner,
        };
        let search = compile(&expression, budget)?;
        let mut replaced = String::new();
        let (mut last, mut from) = (0, 0);
        while let Some(found) = search.find(text, from, budget)? {
            from = after(text, &found);
            if found.is_empty() && self.anchor.is_none() {
                continue;
            }
            budget.hold(replacement.len())?;
            replaced.push_str(text.get(last..found.start).unwrap_or_default());
            replaced.push_str(replacement);
            last = found.end;
            if !every {
                break;
            }
        }
        replaced.push_str(text.get(last..).unwrap_or_default());
        Ok(replaced)
    }
}

fn literal(tokens: &[Token]) -> Option<String> {
    let character = |token: &Token| match token {
        Token::Character(character) => Some(*character),
        _ => None,
    };
    tokens.iter().map(character).collect()
}

fn expression(tokens: &[Token], greedy: bool) -> String {
    let mut expression = String::from("(?s:");
    for token in tokens {
        match token {
            Token::Character(character) => {
                expression.push_str(&regex::escape(character.encode_utf8(&mut [0; 4])));
            }
            Token::AnyCharacter => expression.push('.'),
            Token::AnyText if greedy => expression.push_str(".*"),
            Token::AnyText => expression.push_str(".*?"),
            Token::Class(class) => expression.push_str(class),
            Token::Number if greedy => expression.push_str("[0-9]+"),
            Token::Number => expression.push_str("[0-9]+?"),
            Token::Group(alternatives) => {
                let alternatives: Vec<String> =
                    alternatives.iter().map(|tokens| self::expression(tokens, greedy)).collect();
                expression.extend(["(?:", alternatives.join("|").as_str(), ")"]);
            }
        }
    }
    expression.push(')');
    expression
}

fn backwards(tokens: &[Token]) -> Vec<Token> {
    let turned = tokens.iter().rev().map(|token| match token {
        Token::Group(alternatives) => {
            Token::Group(alternatives.iter().map(Vec::as_slice).map(backwards).collect())
        }
        other => other.clone(),
    });
    turned.collect()
}

fn compile(expression: &str, budget: &mut Budget) -> Result<Search, Stopped> {
    let search = Search::compile(expression, budget)?;
    search.ok_or_else(|| Stopped::Unsupported("a pattern of the shell is too large".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Pattern {
        let characters: Vec<(char, bool)> = text.chars().map(|next| (next, true)).collect();
        Pattern::parse(&characters).unwrap()
    }

    #[test]
    fn patterns_match_whole_texts() {
        for (glob, text, fits) in [
            ("arm*", "arm64", true),
            ("arm", "arm64", false),
            ("*-[0-9]?.dmg", "a-12.dmg", true),
            ("[!0-9]", "5", false),
            ("[^0-9.]", "-", true),
            ("[[:digit:]]", "5", true),
            ("[<>a-b]", ">", true),
            ("[a&&b~~^-]", "&", true),
            ("<->", "123", true),
            ("<->", "12.3", false),
            ("(a|b)c", "bc", true),
            ("a.c", "abc", false),
            ("*", "two\nlines", true),
        ] {
            assert_eq!(
                pattern(glob).matches(text, &mut Budget::default()),
                Ok(fits),
                "{glob} {text}"
            );
        }
    }

    fn strip(glob: &str, text: &str, suffix: bool, longest: bool) -> String {
        let mut budget = Budget::default();
        pattern(glob).strip(text, suffix, longest, &mut budget).unwrap().to_owned()
    }

    #[test]
    fn ends_are_stripped_shortest_or_longest() {
        assert_eq!(strip("*/", "a/b/c", false, false), "b/c");
        assert_eq!(strip("*/", "a/b/c", false, true), "c");
        assert_eq!(strip(".*", "a.tar.gz", true, false), "a.tar");
        assert_eq!(strip(".*", "a.tar.gz", true, true), "a");
        assert_eq!(strip("x", "abc", true, false), "abc");
    }

    #[test]
    fn parts_are_replaced() {
        let mut budget = Budget::default();
        let mut replace =
            |glob: &str, every| pattern(glob).replace("a-b-c", ".", every, &mut budget);
        assert_eq!(replace("-", true).unwrap(), "a.b.c");
        assert_eq!(replace("-", false).unwrap(), "a.b-c");
        assert_eq!(replace("[a-b]", true).unwrap(), ".-.-c");
        assert_eq!(replace("#a", true).unwrap(), ".-b-c");
        assert_eq!(replace("%c", true).unwrap(), "a-b-.");
    }

    #[test]
    fn what_is_not_closed_is_refused() {
        for text in ["[a", "(a", "<1-2>", "[[:nothing:]]"] {
            let characters: Vec<(char, bool)> = text.chars().map(|next| (next, true)).collect();
            assert!(Pattern::parse(&characters).is_err(), "{text}");
        }
    }
}
