//! What is asked: everything an answer depends on, whoever speaks HTTP.

use std::borrow::Cow;

use crate::request_id::RequestId;

/// A read, as either wire hands it over.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) verb: Verb,
    /// Still percent-encoded.
    pub(crate) path: &'a str,
    pub(crate) query: Option<&'a str>,
    pub(crate) if_none_match: HeaderField<'a>,
    pub(crate) accept: HeaderField<'a>,
    pub(crate) accept_encoding: HeaderField<'a>,
    pub(crate) request_id: RequestId<'a>,
}

/// A method, as far as reads tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Get,
    Head,
    Post,
    Options,
    Other,
}

impl Verb {
    pub(crate) fn of(method: &str) -> Self {
        match method {
            "GET" => Self::Get,
            "HEAD" => Self::Head,
            "POST" => Self::Post,
            "OPTIONS" => Self::Options,
            _ => Self::Other,
        }
    }

    /// For the log, where the name of any other method is of no interest.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Options => "OPTIONS",
            Self::Other => "other",
        }
    }

    /// Whether it asks for something without changing it.
    pub(crate) fn is_read(self) -> bool {
        matches!(self, Self::Get | Self::Head)
    }
}

/// The value of a header field; a repeated one is joined with commas, as HTTP has it.
#[derive(Debug, Default)]
pub(crate) struct HeaderField<'a>(Option<Cow<'a, [u8]>>);

impl<'a> HeaderField<'a> {
    pub(crate) fn of(values: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut field = Self::default();
        values.into_iter().for_each(|value| field.add(value));
        field
    }

    pub(crate) fn add(&mut self, value: &'a [u8]) {
        match &mut self.0 {
            None => self.0 = Some(Cow::Borrowed(value)),
            Some(first) => {
                let joined = first.to_mut();
                joined.push(b',');
                joined.extend_from_slice(value);
            }
        }
    }

    pub(crate) fn value(&self) -> Option<&[u8]> {
        self.0.as_deref()
    }

    /// The value as text; empty if it is missing or not text.
    pub(crate) fn text(&self) -> &str {
        self.value().and_then(|value| std::str::from_utf8(value).ok()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_field_is_one_list() {
        let field = |values: &[&'static str]| {
            HeaderField::of(values.iter().map(|value| value.as_bytes())).text().to_owned()
        };
        assert_eq!(field(&[]), "");
        assert_eq!(field(&["gzip"]), "gzip");
        assert_eq!(field(&["gzip;q=0", "zstd", "br"]), "gzip;q=0,zstd,br");
        assert_eq!(HeaderField::of([&b"\xff"[..]]).text(), "", "not text");
    }
}
