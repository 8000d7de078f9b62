//! How libxml2 understands the bytes of a page.

use std::borrow::Cow;

/// Reads a page as libxml2 does: characters outside ASCII are single bytes, unless the page says that
/// it is UTF-8 before it uses the first of them, or in an `http-equiv` anywhere after.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    let Some(first) = text.bytes().position(|byte| !byte.is_ascii()) else {
        return Cow::Borrowed(text);
    };
    if text.starts_with('\u{feff}') {
        return Cow::Owned(text.chars().skip(1).collect());
    }
    let lower = text.to_ascii_lowercase();
    let before = lower.get(..first).unwrap_or_default();
    let after = lower.get(first..).unwrap_or_default();
    let declared = before.split("<meta").skip(1).find_map(charset);
    let declared =
        declared.or_else(|| after.split_once("http-equiv").and_then(|(_, after)| charset(after)));
    if declared.is_some_and(|charset| charset.starts_with("utf-8") || charset.starts_with("utf8")) {
        return Cow::Borrowed(text);
    }
    let (ascii, rest) = text.split_at_checked(first).unwrap_or((text, ""));
    Cow::Owned(ascii.chars().chain(rest.bytes().map(char::from)).collect())
}

pub(super) fn is_stated(text: &str) -> bool {
    text.to_ascii_lowercase().split("<meta").skip(1).any(|tag| charset(tag).is_some())
}

fn charset(text: &str) -> Option<&str> {
    let tag = text.split('>').next()?;
    let (_, value) = tag.split_once("charset")?;
    let value = value.trim_start().strip_prefix('=')?;
    Some(value.trim_start_matches([' ', '\t', '"', '\'']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_must_say_that_it_is_utf_8() {
        assert_eq!(decode("<p>a"), "<p>a");
        assert_eq!(
            decode("<meta charset=\"UTF-8\"><p>\u{e9}"),
            "<meta charset=\"UTF-8\"><p>\u{e9}"
        );
        assert_eq!(decode("<p>\u{e9}"), "<p>\u{c3}\u{a9}");
        assert_eq!(decode("<meta charset=latin1>\u{e9}"), "<meta charset=latin1>\u{c3}\u{a9}");
    }
}
