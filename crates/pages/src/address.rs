//! The address of a page with what it asks for, and addresses that ask for something else.

use std::fmt;

use appstitch_feeds::encoded;

use crate::short::short;

/// A path with parameters in a fixed order. Empty values are left out, so two addresses of the same
/// page are the same text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    path: String,
    pairs: Vec<(&'static str, String)>,
}

impl Address {
    pub(crate) fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), pairs: Vec::new() }
    }

    /// The same with a parameter; one of the same name keeps its place.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        let value = value.into();
        match self.pairs.iter_mut().find(|(key, _)| *key == name) {
            Some((_, present)) => *present = value,
            None => self.pairs.push((name, value)),
        }
        self
    }

    pub(crate) fn at(&self, path: &str) -> Self {
        Self { path: path.to_owned(), pairs: self.pairs.clone() }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.path)?;
        let pairs = self.pairs.iter().filter(|(_, value)| !value.is_empty());
        for (number, (name, value)) in pairs.enumerate() {
            let mark = if number == 0 { '?' } else { '&' };
            write!(formatter, "{mark}{name}={}", encoded(value))?;
        }
        Ok(())
    }
}

/// An address that asks for something that does not exist: what is wrong, and what is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidAddress(pub String);

impl InvalidAddress {
    /// A parameter with a value that is not one of a few.
    pub(crate) fn word(name: &str, value: &str, known: &[&str]) -> Self {
        let value = short(value, 40);
        let known = match known {
            [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
            _ => known.concat(),
        };
        Self(format!("“{value}” is not a value of “{name}”. Use {known}."))
    }
}

/// The number of a page in an address; the first one if there is none.
pub fn page_number(value: Option<&str>) -> Result<usize, InvalidAddress> {
    let Some(text) = value.filter(|text| !text.is_empty()) else { return Ok(1) };
    match text.parse() {
        Ok(number @ 1..=1_000_000) => Ok(number),
        _ => Err(InvalidAddress::word("page", text, &["a number from 1 on"])),
    }
}

/// A text without blanks around it; `None` if it is empty.
pub(crate) fn filled(value: Option<String>) -> Option<String> {
    value.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

pub fn app_page(slug: &str) -> String {
    format!("/a/{}", encoded(slug))
}

pub(crate) fn vendor_page(vendor: &str) -> String {
    format!("/vendors/{}", encoded(vendor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_encoded_replaced_and_left_out_if_empty() {
        let address =
            Address::new("/drift").with("q", "").with("vendor", "A & B").with("page", "2");
        assert_eq!(address.to_string(), "/drift?vendor=A%20%26%20B&page=2");
        assert_eq!(
            address.clone().with("vendor", "").with("q", "x").to_string(),
            "/drift?q=x&page=2"
        );
        assert_eq!(address.at("/drift.csv").to_string(), "/drift.csv?vendor=A%20%26%20B&page=2");
        assert_eq!(Address::new("/drift").to_string(), "/drift");
    }

    #[test]
    fn a_wrong_value_is_named_with_those_that_are_right() {
        let said = |known: &[&str]| InvalidAddress::word("sort", "size", known).0;
        assert_eq!(said(&["name"]), "“size” is not a value of “sort”. Use name.");
        assert_eq!(said(&["name", "gap"]), "“size” is not a value of “sort”. Use name or gap.");
        assert_eq!(
            said(&["name", "gap", "since"]),
            "“size” is not a value of “sort”. Use name, gap or since."
        );
    }

    #[test]
    fn pages_are_numbered_from_one() {
        for (text, expected) in [(None, Some(1)), (Some(""), Some(1)), (Some("7"), Some(7))] {
            assert_eq!(page_number(text).ok(), expected, "{text:?}");
        }
        for text in ["0", "-1", "x", "1e3", "99999999999999999999"] {
            assert!(page_number(Some(text)).is_err(), "{text}");
        }
    }
}
