//! Bracket expressions: `[a-z]`, `[^"]`, `[[:digit:].]`. A backslash in them is an ordinary
//! character, except to awk.

use super::syntax::Syntax;
use crate::escape;

/// The `regex` crate knows the same names, for the same ASCII characters.
const CLASSES: [&str; 12] = [
    "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
    "upper", "xdigit",
];

pub(super) struct Bracket<'a> {
    pub text: String,
    pub rest: &'a str,
}

/// Translates the expression whose `[` is already read.
pub(super) fn translate(
    source: &str,
    syntax: Syntax,
    without_newline: bool,
) -> Result<Bracket<'_>, &'static str> {
    if let Some(bracket) = word_boundary(source) {
        return Ok(bracket);
    }
    let mut class = String::from("[");
    let (negated, mut rest) = match source.strip_prefix('^') {
        Some(rest) => (true, rest),
        None => (false, source),
    };
    if negated {
        class.push('^');
        if without_newline {
            class.push_str("\\n");
        }
    }
    let mut first = true;
    loop {
        let (item, after) = item(rest, syntax).ok_or("a bracket is not closed")?;
        rest = after;
        match item {
            Item::Class(_) if rest.starts_with('-') && !rest.starts_with("-]") => {
                return Err("a class starts a range");
            }
            Item::Class(name) if CLASSES.contains(&name) => class.extend(["[:", name, ":]"]),
            Item::Class(_) => return Err("an unknown class"),
            Item::Unknown => return Err("a collating element"),
            Item::Plain(']') if !first => break,
            Item::Plain(from) | Item::Escaped(from) => {
                let to = match rest.strip_prefix('-') {
                    Some(after) if !after.starts_with(']') => {
                        let (to, after) =
                            self::item(after, syntax).ok_or("a bracket is not closed")?;
                        rest = after;
                        match to {
                            Item::Plain(to) | Item::Escaped(to) => to,
                            _ => return Err("a class ends a range"),
                        }
                    }
                    _ => from,
                };
                if from > to {
                    return Err("a range is reversed");
                }
                push(&mut class, from, to);
            }
        }
        first = false;
    }
    class.push(']');
    Ok(Bracket { text: class, rest })
}

enum Item<'a> {
    Plain(char),
    Escaped(char),
    Class(&'a str),
    Unknown,
}

fn item(source: &str, syntax: Syntax) -> Option<(Item<'_>, &str)> {
    if let Some(rest) = source.strip_prefix("[:")
        && let Some((name, rest)) = rest.split_once(":]")
    {
        return Some((Item::Class(name), rest));
    }
    if source.starts_with("[.") || source.starts_with("[=") {
        return Some((Item::Unknown, source));
    }
    let mut characters = source.chars();
    let character = characters.next()?;
    if character == '\\' && syntax.escapes_in_brackets {
        let control = escape::read(characters.as_str());
        let (escaped, rest) =
            control.or_else(|| Some((characters.next()?, characters.as_str())))?;
        return Some((Item::Escaped(escaped), rest));
    }
    Some((Item::Plain(character), characters.as_str()))
}

fn push(class: &mut String, from: char, to: char) {
    use std::fmt::Write;
    // Writing into a string cannot fail.
    let _ = write!(class, "\\x{{{:x}}}", u32::from(from));
    if to > from {
        let _ = write!(class, "-\\x{{{:x}}}", u32::from(to));
    }
}

fn word_boundary(source: &str) -> Option<Bracket<'_>> {
    let start = source.strip_prefix("[:<:]]").map(|rest| (r"(?-u:\b{start})", rest));
    let found = start.or_else(|| source.strip_prefix("[:>:]]").map(|it| (r"(?-u:\b{end})", it)));
    found.map(|(text, rest)| Bracket { text: text.to_owned(), rest })
}
