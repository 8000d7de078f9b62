//! Query parameters, parsed and rejected the way the ecosystem's usual validator does it.

use std::borrow::Cow;

use appstitch_types::{DriftScope, Location, ValidationError};
use serde_json::{Map, Value};

use crate::http_error::HttpError;

/// The parameters of a query in the order in which they were sent, decoded.
pub(crate) struct Parameters<'a> {
    /// `None` if nothing is encoded: then decoding would cost more than the rest of a page.
    encoded: Option<form_urlencoded::Parse<'a>>,
    rest: Option<&'a str>,
}

impl<'a> Parameters<'a> {
    pub(crate) fn of(query: Option<&'a str>) -> Self {
        let is_encoded = |query: &&str| query.bytes().any(|byte| matches!(byte, b'%' | b'+'));
        let encoded = query.filter(is_encoded);
        Self { encoded: encoded.map(|query| form_urlencoded::parse(query.as_bytes())), rest: query }
    }

    /// The value of a parameter; of a repeated one the last.
    pub(crate) fn last_of(self, name: &str) -> Option<Cow<'a, str>> {
        self.filter(|(key, _)| key == name).last().map(|(_, value)| value)
    }
}

impl<'a> Iterator for Parameters<'a> {
    type Item = (Cow<'a, str>, Cow<'a, str>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if let Some(encoded) = &mut self.encoded {
            return encoded.next();
        }
        let (pair, others) = split_first(self.rest?, b'&');
        self.rest = others;
        let (name, value) = split_first(pair, b'=');
        Some((Cow::Borrowed(name), Cow::Borrowed(value.unwrap_or_default())))
    }
}

/// A text up to the first occurrence of an ASCII byte, and what follows it. A plain loop is done
/// with a path or a query before a search made for long texts has begun.
pub(crate) fn split_first(text: &str, byte: u8) -> (&str, Option<&str>) {
    match text.bytes().position(|found| found == byte) {
        Some(position) => (&text[..position], Some(&text[position + 1..])),
        None => (text, None),
    }
}

/// Declares the parameters of a route: a struct with a field of the same name for each, read in one
/// pass. Of a repeated parameter the last is used; unknown ones are ignored.
macro_rules! parameters {
    ($(#[$about:meta])* $name:ident { $($parameter:ident),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Default, PartialEq)]
        pub(crate) struct $name<'a> {
            $(pub(crate) $parameter: Option<std::borrow::Cow<'a, str>>,)+
        }

        impl<'a> $name<'a> {
            pub(crate) fn read(query: Option<&'a str>) -> Self {
                let mut parameters = Self::default();
                for (name, value) in $crate::query::Parameters::of(query) {
                    match &*name {
                        $(stringify!($parameter) => parameters.$parameter = Some(value),)+
                        _ => {}
                    }
                }
                parameters
            }
        }
    };
}

pub(crate) use parameters;

parameters! {
    /// The parameters of all listings, those first that most requests have.
    ListQuery {
        limit, offset, vendor, source, exclude_source, deprecated, include, bundle_id, team_id,
        install_method, slugs, q,
    }
}

/// What is wrong with the parameters of a request, in the order in which they are read.
#[derive(Default)]
pub(crate) struct Faults(Vec<ValidationError>);

impl Faults {
    /// The value of a parameter; if it is invalid, any value, and the request fails in the end.
    pub(crate) fn check<T: Default>(&mut self, value: Result<T, Box<ValidationError>>) -> T {
        value.unwrap_or_else(|fault| {
            self.0.push(*fault);
            T::default()
        })
    }

    /// Fails if a parameter is invalid.
    pub(crate) fn none(self) -> Result<(), HttpError> {
        if self.0.is_empty() { Ok(()) } else { Err(HttpError::Invalid(self.0)) }
    }
}

/// A required text of a limited length, in characters.
pub(crate) fn read_text<'a>(
    name: &str,
    text: Option<&'a str>,
    longest: usize,
) -> Result<&'a str, Box<ValidationError>> {
    let text = text.ok_or_else(|| missing(name))?;
    if text.is_empty() {
        let msg = "String should have at least 1 character".to_owned();
        return Err(fault(name, text, "string_too_short", msg, Some(("min_length", 1.into()))));
    }
    if text.chars().nth(longest).is_some() {
        let msg = format!("String should have at most {longest} characters");
        // The text is not repeated, because it can be very long.
        let ctx = Some(("max_length", longest.into()));
        let mut too_long = fault(name, "", "string_too_long", msg, ctx);
        too_long.input = None;
        return Err(too_long);
    }
    Ok(text)
}

/// An integer parameter within bounds; numbers that are too large for the machine saturate.
pub(crate) fn read_bounded(
    name: &str,
    text: Option<&str>,
    bounds: Bounds,
) -> Result<usize, Box<ValidationError>> {
    let Some(text) = text else { return Ok(bounds.default) };
    let fault = |kind: &str, msg: String, ctx: Option<(&str, usize)>| {
        fault(name, text, kind, msg, ctx.map(|(key, bound)| (key, Value::from(bound))))
    };
    let Some(number) = read_integer(text) else {
        let msg = "Input should be a valid integer, unable to parse string as an integer";
        return Err(fault("int_parsing", msg.to_owned(), None));
    };
    let (least, most) = (bounds.least, bounds.most);
    if number.negative || number.magnitude < least {
        let msg = format!("Input should be greater than or equal to {least}");
        return Err(fault("greater_than_equal", msg, Some(("ge", least))));
    }
    match most {
        Some(most) if number.magnitude > most => {
            let msg = format!("Input should be less than or equal to {most}");
            Err(fault("less_than_equal", msg, Some(("le", most))))
        }
        _ => Ok(number.magnitude),
    }
}

/// A truth value, in every spelling that the validator accepts.
pub(crate) fn read_truth(
    name: &str,
    text: Option<&str>,
) -> Result<Option<bool>, Box<ValidationError>> {
    let Some(text) = text else { return Ok(None) };
    match text.to_ascii_lowercase().as_str() {
        "true" | "t" | "yes" | "y" | "on" | "1" => Ok(Some(true)),
        "false" | "f" | "no" | "n" | "off" | "0" => Ok(Some(false)),
        _ => {
            let msg = "Input should be a valid boolean, unable to interpret input".to_owned();
            Err(fault(name, text, "bool_parsing", msg, None))
        }
    }
}

pub(crate) fn read_word<'a>(
    name: &str,
    text: Option<&'a str>,
    words: &[&str],
) -> Result<Option<&'a str>, Box<ValidationError>> {
    let Some(text) = text else { return Ok(None) };
    if words.contains(&text) {
        return Ok(Some(text));
    }
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let expected = match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    };
    Err(not_expected(name, text, &expected))
}

/// A word in the path, which is required.
pub(crate) fn read_path_word<'a>(
    name: &str,
    text: &'a str,
    words: &[&str],
) -> Result<&'a str, Box<ValidationError>> {
    match read_word(name, Some(text), words) {
        Ok(_) => Ok(text),
        Err(mut fault) => {
            fault.loc[0] = Location::Name("path".to_owned());
            Err(fault)
        }
    }
}

/// The sources that drift compares.
pub(crate) fn read_include(text: Option<&str>) -> Result<DriftScope, Box<ValidationError>> {
    DriftScope::read(text.unwrap_or_default()).map_err(|unknown| {
        let expected = "'label_tool', 'cask_catalog', 'mdm_installer' or 'store_listing'";
        not_expected("include", unknown, expected)
    })
}

pub(crate) const MOST_SLUGS: usize = 500;

/// Slugs separated by commas, not too many. An empty list selects nothing.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Slugs<'a>(Cow<'a, str>);

impl Slugs<'_> {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split(',').filter(|slug| !slug.is_empty())
    }
}

pub(crate) fn read_slugs(
    text: Option<Cow<'_, str>>,
) -> Result<Option<Slugs<'_>>, Box<ValidationError>> {
    let Some(slugs) = text.map(Slugs) else { return Ok(None) };
    let count = slugs.iter().count();
    if count <= MOST_SLUGS {
        return Ok(Some(slugs));
    }
    let msg = format!("List should have at most {MOST_SLUGS} items after validation, not {count}");
    let mut fault = fault("slugs", &slugs.0, "too_long", msg, None);
    fault.ctx = Some(Map::from_iter([
        ("field_type".to_owned(), "List".into()),
        ("max_length".to_owned(), MOST_SLUGS.into()),
        ("actual_length".to_owned(), count.into()),
    ]));
    Err(fault)
}

/// The maximum length of a search, in characters.
pub(crate) const LONGEST_SEARCH: usize = 200;

pub(crate) fn read_search(text: Option<&str>) -> Result<String, Box<ValidationError>> {
    let text = text.ok_or_else(|| missing("q"))?;
    if text.chars().nth(LONGEST_SEARCH).is_some() {
        let msg = format!("String should have at most {LONGEST_SEARCH} characters");
        let ctx = ("max_length", LONGEST_SEARCH.into());
        return Err(fault("q", text, "string_too_long", msg, Some(ctx)));
    }
    Ok(text.to_owned())
}

fn missing(name: &str) -> Box<ValidationError> {
    let fault = fault(name, "", "missing", "Field required".to_owned(), None);
    Box::new(ValidationError { input: Some(Value::Null), ..*fault })
}

/// A value that is not one of some words. `expected` lists them.
pub(crate) fn not_expected(name: &str, input: &str, expected: &str) -> Box<ValidationError> {
    let msg = format!("Input should be {expected}");
    fault(name, input, "literal_error", msg, Some(("expected", expected.into())))
}

fn fault(
    name: &str,
    input: &str,
    kind: &str,
    msg: String,
    ctx: Option<(&str, Value)>,
) -> Box<ValidationError> {
    Box::new(ValidationError {
        kind: kind.to_owned(),
        loc: vec![Location::Name("query".to_owned()), Location::Name(name.to_owned())],
        msg,
        input: Some(Value::String(input.to_owned())),
        ctx: ctx.map(|(key, value)| Map::from_iter([(key.to_owned(), value)])),
    })
}

#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) least: usize,
    pub(crate) most: Option<usize>,
    pub(crate) default: usize,
}

struct Integer {
    negative: bool,
    /// Saturated: a number that does not fit is larger than every bound.
    magnitude: usize,
}

/// Parses an integer. Surrounding white space, a sign, leading zeros, single underscores between
/// digits and a fraction of zeros are allowed.
fn read_integer(text: &str) -> Option<Integer> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix(['+', '-']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, text),
    };
    let digits = match digits.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0') => {
            whole
        }
        Some(_) => return None,
        None => digits,
    };
    let mut magnitude = 0_usize;
    let mut after_digit = false;
    for byte in digits.bytes() {
        match byte {
            b'0'..=b'9' => {
                let digit = usize::from(byte - b'0');
                magnitude = magnitude.saturating_mul(10).saturating_add(digit);
                after_digit = true;
            }
            b'_' if after_digit => after_digit = false,
            _ => return None,
        }
    }
    // Zero has no sign.
    after_digit.then_some(Integer { negative: negative && magnitude > 0, magnitude })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LIMIT: Bounds = Bounds { least: 1, most: Some(1000), default: 100 };

    fn limit(query: &str) -> Result<usize, String> {
        let query = ListQuery::read(Some(query));
        read_bounded("limit", query.limit.as_deref(), LIMIT).map_err(|fault| fault.kind)
    }

    #[test]
    fn integers_are_taken_in_every_spelling_the_validator_takes() {
        for (query, expected) in [
            ("", 100),
            ("limit=1", 1),
            ("limit=1.0", 1),
            ("limit=1.000", 1),
            ("limit=%201%20", 1),
            ("limit=+5", 5),
            ("limit=%2B5", 5),
            ("limit=01", 1),
            ("limit=1_0", 10),
            ("limit=1_000.0", 1000),
            ("limit=0_1", 1),
            ("limit=%097%0A", 7),
            ("limit=%C2%A05", 5),
            ("limit=abc&limit=7", 7),
            ("other=x", 100),
        ] {
            assert_eq!(limit(query), Ok(expected), "{query}");
        }
    }

    #[test]
    fn everything_else_is_recognized_by_its_kind() {
        for text in [
            "abc", "", "1.5", "true", "0x10", "1.", ".0", "1e2", "1__0", "_1", "1_", "- 1",
            "%2B-1", "%2B%2B5", "1.0_0", "%EF%BC%91", "%2B", "-", "%2B_1", "1_.0", "1,0", "%FF",
            "7&limit=x",
        ] {
            let query = format!("limit={text}");
            assert_eq!(limit(&query), Err("int_parsing".into()), "{query}");
        }
        for text in ["0", "-5", "-0", "00", "-99999999999999999999999999"] {
            assert_eq!(limit(&format!("limit={text}")), Err("greater_than_equal".into()), "{text}");
        }
        for text in ["1001", "99999999999999999999999999"] {
            assert_eq!(limit(&format!("limit={text}")), Err("less_than_equal".into()), "{text}");
        }
    }

    #[test]
    fn truth_values_are_taken_in_every_spelling_the_validator_takes() {
        for (text, expected) in [("true", true), ("YES", true), ("1", true), ("Off", false)] {
            assert_eq!(read_truth("deprecated", Some(text)), Ok(Some(expected)), "{text}");
        }
        assert_eq!(read_truth("deprecated", None), Ok(None));
        for text in ["", "maybe", "2", " true"] {
            let fault = read_truth("deprecated", Some(text)).unwrap_err();
            assert_eq!((fault.kind.as_str(), fault.ctx), ("bool_parsing", None), "{text}");
        }
    }

    #[test]
    fn an_unknown_source_to_include_is_named() {
        assert_eq!(read_include(None), Ok(DriftScope::default()));
        assert_eq!(read_include(Some("mdm_installer,,")).map(DriftScope::number), Ok(1));
        let fault = read_include(Some("mdm_installer,vendor")).unwrap_err();
        assert_eq!(fault.kind, "literal_error");
        assert_eq!(fault.input, Some(Value::String("vendor".to_owned())));
    }

    #[test]
    fn slugs_are_counted_and_empty_ones_ignored() {
        let slugs = |text: &str| read_slugs(Some(text.to_owned().into()));
        assert_eq!(read_slugs(None), Ok(None));
        assert_eq!(slugs("").unwrap().unwrap().iter().count(), 0);
        assert_eq!(slugs("a,,b,").unwrap().unwrap().iter().collect::<Vec<_>>(), ["a", "b"]);
        assert!(slugs(&"a,".repeat(500)).is_ok());
        let fault = slugs(&"a,".repeat(501)).unwrap_err();
        assert_eq!(fault.kind, "too_long");
        assert_eq!(fault.ctx.unwrap()["actual_length"], 501);
    }

    #[test]
    fn a_search_is_required_and_not_too_long() {
        assert_eq!(read_search(Some("")).as_deref(), Ok(""));
        assert_eq!(read_search(Some(&"ä".repeat(200))), Ok("ä".repeat(200)));
        for missing in [read_search(None).unwrap_err(), read_text("a", None, 1).unwrap_err()] {
            assert_eq!((missing.kind.as_str(), missing.input), ("missing", Some(Value::Null)));
        }
        let fault = read_search(Some(&"ä".repeat(201))).unwrap_err();
        assert_eq!(fault.kind, "string_too_long");
    }

    proptest! {
        #[test]
        fn what_is_not_encoded_is_read_as_if_it_were(
            query in "((vendor|source|exclude_source|limit|offset|slugs|team_id|x)?[=&a-z0-9;.]{0,3}){0,6}",
        ) {
            // An encoded space in an unknown parameter makes everything be decoded.
            let decoded = format!("{query}&other=%20");
            prop_assert_eq!(ListQuery::read(Some(&query)), ListQuery::read(Some(&decoded)));
        }
    }
}
