//! The words of a program. Where a `/` starts a pattern is known to the parser alone.

use super::value::refuse;
use crate::{Stopped, escape};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    End,
    Newline,
    Number(f64),
    Text(String),
    Name(String),
    Function(String),
    Symbol(&'static str),
}

const KEYWORDS: [&str; 19] = [
    "BEGIN", "END", "break", "continue", "delete", "do", "else", "exit", "for", "func", "function",
    "getline", "if", "in", "next", "print", "printf", "return", "while",
];

const FUNCTIONS: [&str; 21] = [
    "atan2", "close", "cos", "exp", "fflush", "gsub", "index", "int", "length", "log", "match",
    "rand", "sin", "split", "sprintf", "sqrt", "srand", "sub", "substr", "system", "tolower",
];

/// Longer operators come first.
const OPERATORS: [&str; 45] = [
    "**=", "&&", "||", "**", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "==", "<=", ">=",
    "!=", "!~", ">>", "{", "}", "(", ")", "[", "]", ";", ",", "+", "-", "*", "/", "%", "^", "!",
    ">", "<", "|", "?", ":", "~", "$", "=", "&", "@", "`", "\\",
];

#[derive(Clone)]
pub(super) struct Lexer<'a> {
    rest: &'a str,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(program: &'a str) -> Self {
        Self { rest: program }
    }

    pub(super) fn next(&mut self) -> Result<Token, Stopped> {
        self.skip_blanks();
        let Some(first) = self.rest.chars().next() else { return Ok(Token::End) };
        if first == '\n' {
            self.rest = self.rest.get(1..).unwrap_or_default();
            return Ok(Token::Newline);
        }
        let starts_fraction =
            || self.rest.get(1..).is_some_and(|it| it.starts_with(|it: char| it.is_ascii_digit()));
        if first.is_ascii_digit() || (first == '.' && starts_fraction()) {
            let number = crate::number::leading(self.rest);
            let (value, rest) = number.ok_or_else(|| refuse("a number"))?;
            self.rest = rest;
            return Ok(Token::Number(value));
        }
        if first == '"' {
            return self.text();
        }
        if first.is_ascii_alphabetic() || first == '_' {
            return Ok(self.word());
        }
        for operator in OPERATORS {
            if let Some(rest) = self.rest.strip_prefix(operator) {
                self.rest = rest;
                return Ok(Token::Symbol(operator));
            }
        }
        Err(refuse(format_args!("the character {first}")))
    }

    pub(super) fn regex(&mut self) -> Result<&'a str, Stopped> {
        let mut escaped = false;
        for (at, character) in self.rest.char_indices() {
            match character {
                '\n' => break,
                '/' if !escaped => {
                    let source = self.rest.get(..at).unwrap_or_default();
                    self.rest = self.rest.get(at + 1..).unwrap_or_default();
                    return Ok(source);
                }
                _ => escaped = character == '\\' && !escaped,
            }
        }
        Err(refuse("a pattern without an end"))
    }

    fn skip_blanks(&mut self) {
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t', '\r']);
            if let Some(rest) = self.rest.strip_prefix("\\\n") {
                self.rest = rest;
            } else if self.rest.starts_with('#') {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.rest = self.rest.get(end..).unwrap_or_default();
            } else {
                return;
            }
        }
    }

    fn text(&mut self) -> Result<Token, Stopped> {
        let mut escaped = false;
        let inside = self.rest.get(1..).unwrap_or_default();
        for (at, character) in inside.char_indices() {
            match character {
                '\n' if !escaped => break,
                '"' if !escaped => {
                    let source = inside.get(..at).unwrap_or_default();
                    self.rest = inside.get(at + 1..).unwrap_or_default();
                    return Ok(Token::Text(unescape(source)));
                }
                _ => escaped = character == '\\' && !escaped,
            }
        }
        Err(refuse("a text without an end"))
    }

    fn word(&mut self) -> Token {
        let end = self.rest.find(|it: char| !is_name_character(it)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        if let Some(keyword) = KEYWORDS.iter().find(|keyword| **keyword == word) {
            Token::Symbol(keyword)
        } else if FUNCTIONS.contains(&word) || word == "toupper" {
            Token::Function(word.to_owned())
        } else {
            Token::Name(word.to_owned())
        }
    }

    /// Whether the next character is `(`, as behind the name of a function.
    pub(super) fn at_parenthesis(&self) -> bool {
        self.rest.starts_with('(')
    }
}

fn is_name_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

pub(super) fn is_name(text: &str) -> bool {
    text.chars().all(is_name_character)
        && !text.starts_with(|it: char| it.is_ascii_digit())
        && !text.is_empty()
}

/// A text without its escapes. A backslash before any other character stays.
pub(super) fn unescape(source: &str) -> String {
    let mut text = String::new();
    let mut rest = source;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        if let Some((character, after)) = escape::read(after) {
            text.push(character);
            rest = after;
            continue;
        }
        let mut characters = after.chars();
        match characters.next() {
            Some(same @ ('"' | '\\' | '/')) => text.push(same),
            Some('\n') => {}
            Some(other) => text.extend(['\\', other]),
            None => text.push('\\'),
        }
        rest = characters.as_str();
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_lose_their_escapes() {
        assert_eq!(unescape(r#"a\"b\\c\n\.\/\011"#), "a\"b\\c\n\\./\t");
        assert_eq!(unescape("a\\"), "a\\");
    }

    #[test]
    fn words_are_told_apart() {
        let mut lexer = Lexer::new("print$1 \".\" x1 # comment\nif NF-1 .5 substr");
        let mut words = Vec::new();
        loop {
            match lexer.next().unwrap() {
                Token::End => break,
                token => words.push(token),
            }
        }
        let name = |name: &str| Token::Name(name.into());
        let expected = [
            Token::Symbol("print"),
            Token::Symbol("$"),
            Token::Number(1.0),
            Token::Text(".".into()),
            name("x1"),
            Token::Newline,
            Token::Symbol("if"),
            name("NF"),
            Token::Symbol("-"),
            Token::Number(1.0),
            Token::Number(0.5),
            Token::Function("substr".into()),
        ];
        assert_eq!(words, expected);
    }
}
