//! Tags and texts of XML, as far as property lists need them.

use std::borrow::Cow;

use memchr::memmem;
use serde::de::value::Error;

use crate::{error::quoted, plist::fault};

const MAX_REFERENCE: usize = 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag<'a> {
    Open(&'a str),
    Close(&'a str),
    Empty(&'a str),
}

impl Tag<'_> {
    pub(super) fn name(self) -> String {
        let (mark, name) = match self {
            Self::Open(name) | Self::Empty(name) => ("", name),
            Self::Close(name) => ("/", name),
        };
        format!("{mark}{}", quoted(name))
    }
}

pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn line(&self) -> usize {
        1 + memchr::memchr_iter(b'\n', &self.text.as_bytes()[..self.at]).count()
    }

    pub(super) fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        self.rest().is_empty()
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn skip_past(&mut self, end: &str) -> Result<(), Error> {
        let found = memmem::find(self.rest().as_bytes(), end.as_bytes());
        self.at += found.ok_or_else(ends_early)? + end.len();
        Ok(())
    }

    /// The next tag. Comments, instructions and a plain document type are skipped.
    pub(super) fn tag(&mut self) -> Result<Tag<'a>, Error> {
        loop {
            self.skip_blanks();
            let rest = self.rest();
            if rest.starts_with("<!--") {
                self.skip_past("-->")?;
            } else if rest.starts_with("<?") {
                self.skip_past("?>")?;
            } else if rest.starts_with("<!DOCTYPE") {
                self.document_type()?;
            } else if let Some(inside) = rest.strip_prefix('<') {
                let end = memchr::memchr(b'>', inside.as_bytes()).ok_or_else(ends_early)?;
                self.at += end + 2;
                return tag(&inside[..end]);
            } else if rest.is_empty() {
                return Err(ends_early());
            } else {
                return Err(fault("unexpected text between elements"));
            }
        }
    }

    fn document_type(&mut self) -> Result<(), Error> {
        let rest = self.rest();
        let end = memchr::memchr2(b'>', b'[', rest.as_bytes()).ok_or_else(ends_early)?;
        if rest.as_bytes()[end] == b'[' {
            return Err(fault("it declares entities, which is not allowed"));
        }
        self.at += end + 1;
        Ok(())
    }

    pub(super) fn close(&mut self, name: &str) -> Result<(), Error> {
        match self.tag()? {
            Tag::Close(other) if other == name => Ok(()),
            other => Err(fault(format_args!("expected </{name}>, found <{}>", other.name()))),
        }
    }

    pub(super) fn text(&mut self) -> Result<Cow<'a, str>, Error> {
        const VERBATIM: &str = "<![CDATA[";
        let mut text = Cow::Borrowed("");
        loop {
            let rest = self.rest();
            let end = memchr::memchr(b'<', rest.as_bytes()).ok_or_else(ends_early)?;
            append(&mut text, unescaped(&rest[..end])?);
            self.at += end;
            if self.rest().starts_with(VERBATIM) {
                self.at += VERBATIM.len();
                let begin = self.at;
                self.skip_past("]]>")?;
                append(&mut text, Cow::Borrowed(&self.text[begin..self.at - "]]>".len()]));
            } else if self.rest().starts_with("<!--") {
                self.skip_past("-->")?;
            } else {
                return Ok(text);
            }
        }
    }
}

fn append<'a>(text: &mut Cow<'a, str>, more: Cow<'a, str>) {
    if text.is_empty() {
        *text = more;
    } else if !more.is_empty() {
        text.to_mut().push_str(&more);
    }
}

fn tag(inside: &str) -> Result<Tag<'_>, Error> {
    if let Some(name) = inside.strip_prefix('/') {
        return Ok(Tag::Close(name.trim_end()));
    }
    let (inside, is_empty) = match inside.strip_suffix('/') {
        Some(inside) => (inside, true),
        None => (inside, false),
    };
    // What follows the name are attributes, which mean nothing here.
    let name = inside.split(|character: char| character.is_ascii_whitespace()).next();
    match name {
        None | Some("") => Err(fault("a tag has no name")),
        Some(name) if is_empty => Ok(Tag::Empty(name)),
        Some(name) => Ok(Tag::Open(name)),
    }
}

/// Replaces references to characters. There are no other entities.
fn unescaped(text: &str) -> Result<Cow<'_, str>, Error> {
    let Some(first) = memchr::memchr(b'&', text.as_bytes()) else {
        return Ok(Cow::Borrowed(text));
    };
    let mut result = String::with_capacity(text.len());
    result.push_str(&text[..first]);
    let mut rest = &text[first..];
    while let Some(after) = rest.strip_prefix('&') {
        let end = after.bytes().take(MAX_REFERENCE).position(|byte| byte == b';');
        let end = end.ok_or_else(|| fault("an '&' is not part of a reference"))?;
        let name = &after[..end];
        let character = character(name)
            .ok_or_else(|| fault(format_args!("the entity '&{};' is not defined", quoted(name))))?;
        result.push(character);
        rest = &after[end + 1..];
        let next = memchr::memchr(b'&', rest.as_bytes()).unwrap_or(rest.len());
        result.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    Ok(Cow::Owned(result))
}

fn character(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            code.ok().and_then(char::from_u32)
        }
    }
}

fn ends_early() -> Error {
    fault("it ends too early")
}
