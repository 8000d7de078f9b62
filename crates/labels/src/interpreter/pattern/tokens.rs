//! Reads patterns of the shell.

use crate::Stopped;

#[derive(Debug, Clone)]
pub(super) enum Token {
    Character(char),
    AnyCharacter,
    AnyText,
    /// A class in the notation of regular expressions.
    Class(String),
    Number,
    Group(Vec<Vec<Token>>),
}

const MAX_DEPTH: usize = 16;

pub(super) fn unsupported(characters: &[(char, bool)]) -> Stopped {
    let text: String = characters.iter().take(80).map(|(character, _)| character).collect();
    Stopped::Unsupported(format!("the pattern {text} is not supported"))
}

/// Reads tokens up to the end, or within a group up to `|` or `)`.
pub(super) fn tokens(rest: &mut &[(char, bool)], depth: usize) -> Result<Vec<Token>, Stopped> {
    let mut tokens = Vec::new();
    while let Some(((character, active), after)) = rest.split_first() {
        if !active {
            tokens.push(Token::Character(*character));
            *rest = after;
            continue;
        }
        match character {
            '|' | ')' if depth > 0 => return Ok(tokens),
            '(' => {
                *rest = after;
                tokens.push(group(rest, depth + 1)?);
                continue;
            }
            '[' => {
                *rest = after;
                tokens.push(class(rest)?);
                continue;
            }
            '<' => {
                let sign: String = rest.iter().take(3).map(|(character, _)| character).collect();
                if sign != "<->" {
                    return Err(unsupported(rest));
                }
                tokens.push(Token::Number);
                *rest = rest.get(3..).unwrap_or(&[]);
                continue;
            }
            '*' => tokens.push(Token::AnyText),
            '?' => tokens.push(Token::AnyCharacter),
            _ => tokens.push(Token::Character(*character)),
        }
        *rest = after;
    }
    Ok(tokens)
}

/// The inside of `(a|b)`, after the parenthesis.
fn group(rest: &mut &[(char, bool)], depth: usize) -> Result<Token, Stopped> {
    if depth > MAX_DEPTH {
        return Err(unsupported(rest));
    }
    let mut alternatives = Vec::new();
    loop {
        alternatives.push(tokens(rest, depth)?);
        match rest.split_first() {
            Some((('|', _), after)) => *rest = after,
            Some((_, after)) => {
                *rest = after;
                return Ok(Token::Group(alternatives));
            }
            None => return Err(unsupported(rest)),
        }
    }
}

/// The inside of `[…]`, after the bracket.
fn class(rest: &mut &[(char, bool)]) -> Result<Token, Stopped> {
    let mut class = String::from("[");
    let mut first = true;
    if let Some((('!' | '^', true), after)) = rest.split_first() {
        class.push('^');
        *rest = after;
    }
    loop {
        let Some(((character, active), after)) = rest.split_first() else {
            return Err(unsupported(rest));
        };
        match character {
            ']' if *active && !first => {
                *rest = after;
                class.push(']');
                return Ok(Token::Class(class));
            }
            '[' if matches!(after.first(), Some((':', _))) => {
                let name: String = after
                    .iter()
                    .skip(1)
                    .map(|(character, _)| *character)
                    .take_while(char::is_ascii_alphabetic)
                    .collect();
                let known = [
                    "alpha", "digit", "alnum", "upper", "lower", "space", "punct", "blank",
                    "xdigit",
                ];
                if !known.contains(&name.as_str()) {
                    return Err(unsupported(rest));
                }
                class.extend(["[:", name.as_str(), ":]"]);
                *rest = after.get(name.len() + 3..).unwrap_or(&[]);
            }
            '-' if *active && !first && !matches!(after.first(), None | Some((']', true))) => {
                class.push('-');
                *rest = after;
            }
            other => {
                if matches!(other, '[' | ']' | '\\' | '^' | '-' | '&' | '~') {
                    class.push('\\');
                }
                class.push(*other);
                *rest = after;
            }
        }
        first = false;
    }
}
