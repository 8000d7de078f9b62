//! Shell patterns over literal text: `*`, `?` and character classes.

/// A compiled pattern.
pub(super) struct Glob(Vec<Token>);

enum Token {
    Character(char),
    AnyCharacter,
    AnyText,
    Class { members: Vec<(char, char)>, negated: bool },
}

impl Glob {
    /// Compiles a pattern as written in the source. Quoted text is literal. Returns `None` for
    /// patterns that need a shell.
    pub(super) fn parse(pattern: &str) -> Option<Self> {
        if pattern.contains(['$', '`', '(', '|', '#', '^']) {
            return None;
        }
        let mut tokens = Vec::new();
        let mut characters = pattern.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '*' => tokens.push(Token::AnyText),
                '?' => tokens.push(Token::AnyCharacter),
                '[' => tokens.push(class(&mut characters)?),
                '\\' => tokens.push(Token::Character(characters.next()?)),
                quote @ ('"' | '\'') => loop {
                    match characters.next()? {
                        end if end == quote => break,
                        inner => tokens.push(Token::Character(inner)),
                    }
                },
                other => tokens.push(Token::Character(other)),
            }
        }
        Some(Self(tokens))
    }

    /// Whether the pattern matches the whole text.
    pub(super) fn matches(&self, text: &str) -> bool {
        let characters: Vec<char> = text.chars().collect();
        matches(&self.0, &characters)
    }

    /// Removes the shortest or longest match from the start.
    pub(super) fn strip_front<'a>(&self, text: &'a str, longest: bool) -> &'a str {
        let mut cuts: Vec<usize> = cut_points(text);
        if longest {
            cuts.reverse();
        }
        let cut = cuts.into_iter().find(|cut| self.matches(&text[..*cut]));
        &text[cut.unwrap_or(0)..]
    }

    /// Removes the shortest or longest match from the end.
    pub(super) fn strip_back<'a>(&self, text: &'a str, longest: bool) -> &'a str {
        let mut cuts: Vec<usize> = cut_points(text);
        if !longest {
            cuts.reverse();
        }
        let cut = cuts.into_iter().find(|cut| self.matches(&text[*cut..]));
        &text[..cut.unwrap_or(text.len())]
    }

    /// Replaces the first match or every match. A match is as long as possible.
    pub(super) fn replace(&self, text: &str, replacement: &str, every: bool) -> String {
        let mut replaced = String::new();
        let mut rest = text;
        while !rest.is_empty() {
            let longest = cut_points(rest)
                .into_iter()
                .rev()
                .find(|cut| *cut > 0 && self.matches(&rest[..*cut]));
            if let Some(cut) = longest {
                replaced.push_str(replacement);
                rest = &rest[cut..];
                if !every {
                    break;
                }
            } else {
                let step = rest.chars().next().map_or(rest.len(), char::len_utf8);
                replaced.push_str(&rest[..step]);
                rest = &rest[step..];
            }
        }
        replaced + rest
    }
}

/// Every character boundary of a text, from start to end.
fn cut_points(text: &str) -> Vec<usize> {
    text.char_indices().map(|(index, _)| index).chain([text.len()]).collect()
}

fn class(characters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<Token> {
    let negated = characters.next_if(|next| matches!(next, '!' | '^')).is_some();
    let mut members: Vec<(char, char)> = Vec::new();
    loop {
        match characters.next()? {
            ']' if !members.is_empty() => return Some(Token::Class { members, negated }),
            // Named classes such as [:digit:] are not supported. No known label needs them.
            '[' => return None,
            first => {
                let range = characters.peek() == Some(&'-')
                    && characters.clone().nth(1).is_some_and(|end| end != ']');
                if range {
                    characters.next();
                    members.push((first, characters.next()?));
                } else {
                    members.push((first, first));
                }
            }
        }
    }
}

/// Backtracks only to the last `*`, so the time is bounded by the product of both lengths.
fn matches(tokens: &[Token], text: &[char]) -> bool {
    let (mut token, mut position) = (0, 0);
    let mut last_star: Option<(usize, usize)> = None;
    while position < text.len() {
        let character = text[position];
        let fits = match tokens.get(token) {
            Some(Token::AnyText) => {
                last_star = Some((token, position));
                token += 1;
                continue;
            }
            Some(Token::AnyCharacter) => true,
            Some(Token::Character(expected)) => *expected == character,
            Some(Token::Class { members, negated }) => {
                let member = members.iter().any(|(from, to)| (*from..=*to).contains(&character));
                member != *negated
            }
            None => false,
        };
        if fits {
            token += 1;
            position += 1;
        } else if let Some((star, start)) = last_star {
            token = star + 1;
            position = start + 1;
            last_star = Some((star, start + 1));
        } else {
            return false;
        }
    }
    tokens[token..].iter().all(|token| matches!(token, Token::AnyText))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glob(pattern: &str) -> Glob {
        Glob::parse(pattern).unwrap()
    }

    #[test]
    fn patterns_match_whole_texts() {
        assert!(glob("arm*").matches("arm64"));
        assert!(glob("*-[0-9]?.dmg").matches("a-12.dmg"));
        assert!(!glob("arm").matches("arm64"));
        assert!(glob("\"a*\"").matches("a*") && !glob("\"a*\"").matches("ab"));
        assert!(Glob::parse("$x").is_none());
    }

    #[test]
    fn ends_are_stripped_and_parts_replaced() {
        assert_eq!(glob("*/").strip_front("a/b/c", false), "b/c");
        assert_eq!(glob("*/").strip_front("a/b/c", true), "c");
        assert_eq!(glob(".*").strip_back("a.tar.gz", false), "a.tar");
        assert_eq!(glob(".*").strip_back("a.tar.gz", true), "a");
        assert_eq!(glob("x").strip_back("abc", false), "abc");
        assert_eq!(glob("-").replace("a-b-c", ".", true), "a.b.c");
        assert_eq!(glob("-").replace("a-b-c", ".", false), "a.b-c");
    }
}
