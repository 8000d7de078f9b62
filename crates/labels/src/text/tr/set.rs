//! The sets of `tr`: characters, ranges, classes, and escapes.

use crate::{Stopped, escape};

/// Characters in the order given, or all others.
pub(super) struct Set {
    characters: Vec<char>,
    complement: bool,
}

impl Set {
    pub(super) fn parse(source: &str, complement: bool) -> Result<Self, Stopped> {
        let refuse = || Stopped::unsupported("tr", format_args!("the set {source}"));
        let mut characters = Vec::new();
        let mut rest = source;
        while !rest.is_empty() {
            if let Some((name, after)) =
                rest.strip_prefix("[:").and_then(|after| after.split_once(":]"))
            {
                let accepts = class(name).ok_or_else(refuse)?;
                characters.extend((0..=127_u8).map(char::from).filter(accepts));
                rest = after;
                continue;
            }
            if rest.starts_with("[=") || repeats(rest) {
                return Err(refuse());
            }
            let (from, after) = character(rest).ok_or_else(refuse)?;
            rest = after;
            let end = rest.strip_prefix('-').filter(|after| !after.is_empty()).and_then(character);
            match end {
                Some((to, _)) if to < from => return Err(refuse()),
                // Far more than a range of letters would be a mistake, and slow.
                Some((to, _)) if u32::from(to) - u32::from(from) > 0x1000 => return Err(refuse()),
                Some((to, after)) => {
                    characters.extend(from..=to);
                    rest = after;
                }
                None => characters.push(from),
            }
        }
        Ok(Self { characters, complement })
    }

    /// How many characters are written.
    pub(super) fn len(&self) -> usize {
        self.characters.len()
    }

    pub(super) fn contains(&self, character: char) -> bool {
        self.characters.contains(&character) != self.complement
    }

    /// The character that stands in the other set where this character stands here. The last
    /// character of a shorter set is repeated.
    pub(super) fn translate(&self, character: char, to: &Self) -> char {
        let target = if self.complement {
            self.contains(character).then_some(usize::MAX)
        } else {
            self.characters.iter().rposition(|member| *member == character)
        };
        let found = target.map(|index| to.characters.get(index).or(to.characters.last()));
        found.flatten().copied().unwrap_or(character)
    }
}

/// `[x*]` and `[x*5]` repeat a character.
fn repeats(source: &str) -> bool {
    source.strip_prefix('[').and_then(character).is_some_and(|(_, rest)| {
        let count = rest.strip_prefix('*').and_then(|rest| rest.split_once(']'));
        count.is_some_and(|(count, _)| count.chars().all(|digit| digit.is_ascii_digit()))
    })
}

/// A character, which may be escaped, and what follows it.
fn character(source: &str) -> Option<(char, &str)> {
    let mut characters = source.chars();
    let first = characters.next()?;
    if first != '\\' {
        return Some((first, characters.as_str()));
    }
    escape::read(characters.as_str()).or_else(|| {
        let escaped = characters.next().unwrap_or('\\');
        Some((escaped, characters.as_str()))
    })
}

fn class(name: &str) -> Option<fn(&char) -> bool> {
    Some(match name {
        "alnum" => char::is_ascii_alphanumeric,
        "alpha" => char::is_ascii_alphabetic,
        "blank" => |character| matches!(character, ' ' | '\t'),
        "cntrl" => char::is_ascii_control,
        "digit" => char::is_ascii_digit,
        "graph" => char::is_ascii_graphic,
        "lower" => char::is_ascii_lowercase,
        "print" => |character| character.is_ascii_graphic() || *character == ' ',
        "punct" => char::is_ascii_punctuation,
        "space" => |character| matches!(character, ' ' | '\t'..='\r'),
        "upper" => char::is_ascii_uppercase,
        "xdigit" => char::is_ascii_hexdigit,
        _ => return None,
    })
}
